#include "composer/heads_editor.h"

#include "composer/side_form.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"

#include <QLabel>
#include <QTabBar>
#include <QVBoxLayout>

namespace hs::composer {

HeadsEditor::HeadsEditor(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_tabs(new QTabBar),
      m_sides{new SideForm(explorer, Side::Left), new SideForm(explorer, Side::Right)}
{
    QLabel* const heading = panels::newHeading(this, QString());
    heading->setText(tr("Models and heads"));
    m_tabs->setObjectName(QStringLiteral("sides"));
    m_tabs->setAccessibleName(tr("Model"));
    m_tabs->setExpanding(true);
    m_tabs->setDrawBase(true);
    m_tabs->setElideMode(Qt::ElideRight);
    m_tabs->setUsesScrollButtons(false);
    m_tabs->addTab(QString());
    m_tabs->addTab(QString());
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(heading);
    column->addWidget(m_tabs);
    for (SideForm* const side : m_sides)
        column->addWidget(side);
    connect(m_tabs, &QTabBar::currentChanged, this, &HeadsEditor::showSide);
    connect(&explorer, &control::Explorer::stateChanged, this, &HeadsEditor::showTitles);
    showTitles();
    showSide(0);
}

void HeadsEditor::showTitles()
{
    for (const Side side : kSides) {
        const int tab = static_cast<int>(indexOf(side));
        const QString title = panels::sideTitle(m_explorer, side);
        m_tabs->setTabText(tab, QString(title).replace(QLatin1Char('&'), QStringLiteral("&&")));
        m_tabs->setTabToolTip(tab,
                              side == Side::Left ? tr("Left: %1").arg(title) : tr("Right: %1").arg(title));
    }
}

void HeadsEditor::showSide(int index)
{
    for (const Side side : kSides)
        m_sides[indexOf(side)]->setVisible(static_cast<int>(indexOf(side)) == index);
}

}  // namespace hs::composer
