#include "composer/figure_forms.h"
#include "composer/side_form.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"
#include "render/translate.h"

#include <QLabel>
#include <QTabBar>
#include <QVBoxLayout>

#include <array>

namespace hs::composer {

QWidget* newHeadsEditor(control::Explorer& explorer, QWidget* parent)
{
    auto* const editor = new QWidget(parent);
    QLabel* const heading = panels::newHeading(editor, QString());
    heading->setText(tr("Models and heads"));
    auto* const tabs = new QTabBar;
    tabs->setObjectName(QStringLiteral("sides"));
    tabs->setAccessibleName(tr("Model"));
    tabs->setExpanding(true);
    tabs->setDrawBase(true);
    tabs->setElideMode(Qt::ElideRight);
    tabs->setUsesScrollButtons(false);
    const std::array forms = {new SideForm(explorer, Side::Left), new SideForm(explorer, Side::Right)};

    auto* const column = new QVBoxLayout(editor);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(heading);
    column->addWidget(tabs);
    for (SideForm* const form : forms) {
        tabs->addTab(QString());
        column->addWidget(form);
    }
    const auto showTitles = [&explorer, tabs] {
        for (const Side side : kSides) {
            const int tab = static_cast<int>(indexOf(side));
            const QString title = panels::sideTitle(explorer, side);
            tabs->setTabText(tab, QString(title).replace(QLatin1Char('&'), QStringLiteral("&&")));
            tabs->setTabToolTip(tab,
                                side == Side::Left ? tr("Left: %1").arg(title) : tr("Right: %1").arg(title));
        }
    };
    const auto showSide = [forms](int index) {
        for (const Side side : kSides)
            forms[indexOf(side)]->setVisible(static_cast<int>(indexOf(side)) == index);
    };
    QObject::connect(tabs, &QTabBar::currentChanged, editor, showSide);
    QObject::connect(&explorer, &control::Explorer::stateChanged, editor, showTitles);
    showTitles();
    showSide(0);
    return editor;
}

}  // namespace hs::composer
