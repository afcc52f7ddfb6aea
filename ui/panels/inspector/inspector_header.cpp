#include "panels/inspector/inspector_header.h"

#include "panels/inspector/inspector_text.h"
#include "panels/widgets/flow_layout.h"
#include "panels/widgets/panel_widgets.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStandardItemModel>
#include <QToolButton>

#include <array>

namespace hs::panels {
namespace {

QHBoxLayout* newLine(QWidget* widget, int spacing)
{
    auto* const line = new QHBoxLayout(widget);
    line->setContentsMargins({});
    line->setSpacing(spacing);
    return line;
}

}  // namespace

InspectorHeader::InspectorHeader(QWidget* parent) : QWidget(parent)
{
    auto* const steps = new QWidget(this);
    m_name = newHeading(steps, QStringLiteral("inspectorHead"));
    m_name->setWordWrap(false);
    QHBoxLayout* const line = newLine(steps, 2);
    line->addWidget(m_name);
    line->addSpacing(2);
    line->addWidget(newStep(QStringLiteral("inspectorPrevious"), Qt::LeftArrow, tr("Previous head"), -1));
    line->addWidget(newStep(QStringLiteral("inspectorNext"), Qt::RightArrow, tr("Next head"), 1));

    m_views = new QComboBox(this);
    m_views->setObjectName(QStringLiteral("inspectorView"));
    m_views->setAccessibleName(tr("What the maps show"));
    for (const MapView view : {MapView::Weights, MapView::Scores, MapView::Gate, MapView::ValueWeighted,
                               MapView::BetweenSides, MapView::AfterAblation})
        m_views->addItem(nameOf(view), static_cast<int>(view));
    connect(m_views, &QComboBox::currentIndexChanged, this,
            [this](int index) { Q_EMIT viewChosen(static_cast<MapView>(m_views->itemData(index).toInt())); });

    m_words = new QToolButton(this);
    m_words->setObjectName(QStringLiteral("inspectorWordsShown"));
    m_words->setText(tr("Words"));
    m_words->setCheckable(true);
    m_words->setAutoRaise(true);
    connect(m_words, &QToolButton::toggled, this, &InspectorHeader::wordsChosen);

    auto* const flow = new FlowLayout(8, this);
    flow->setContentsMargins({});
    flow->addWidget(steps);
    flow->addWidget(m_views);
    flow->addWidget(newChoice());
    flow->addWidget(m_words);
}

QToolButton* InspectorHeader::newStep(const QString& name, Qt::ArrowType arrow, const QString& help, int by)
{
    auto* const button = new QToolButton(this);
    button->setObjectName(name);
    button->setArrowType(arrow);
    button->setAutoRaise(true);
    button->setToolTip(help);
    button->setAccessibleName(help);
    connect(button, &QToolButton::clicked, this, [this, by] { Q_EMIT stepRequested(by); });
    return button;
}

QWidget* InspectorHeader::newChoice()
{
    auto* const widget = new QWidget(this);
    QHBoxLayout* const line = newLine(widget, 2);
    m_choice = new QButtonGroup(this);
    const std::array<std::pair<Sides, QString>, 3> choices = {
        {{LeftOnly, tr("Left")}, {Both, tr("Both")}, {RightOnly, tr("Right")}}};
    for (const auto& [choice, text] : choices) {
        auto* const button = new QToolButton(widget);
        button->setObjectName(QStringLiteral("inspectorChoice%1").arg(choice));
        button->setText(text);
        button->setAccessibleName(tr("Maps: %1").arg(text));
        button->setCheckable(true);
        button->setAutoRaise(true);
        m_choice->addButton(button, choice);
        line->addWidget(button);
    }
    m_choice->button(Both)->setChecked(true);
    connect(m_choice, &QButtonGroup::idClicked, this, [this](int id) { choose(static_cast<Sides>(id)); });
    return widget;
}

void InspectorHeader::choose(Sides sides)
{
    if (m_alone && sides != Both) {
        Q_EMIT aloneChosen(sides == LeftOnly ? Side::Left : Side::Right);
        return;
    }
    m_wanted = sides;
    Q_EMIT sidesChosen();
}

void InspectorHeader::setHead(const QString& name)
{
    m_name->setText(name);
}

void InspectorHeader::setProblem(MapView view, const QString& problem)
{
    const int row = m_views->findData(static_cast<int>(view));
    auto* const model = qobject_cast<QStandardItemModel*>(m_views->model());
    model->item(row)->setEnabled(problem.isEmpty());
    m_views->setItemData(row, problem, Qt::ToolTipRole);
}

void InspectorHeader::setView(MapView view)
{
    m_views->setCurrentIndex(m_views->findData(static_cast<int>(view)));
}

bool InspectorHeader::hasWords() const
{
    return m_words->isChecked() && m_words->isEnabled();
}

void InspectorHeader::setWordsProblem(const QString& problem)
{
    greyOut(*m_words, problem, tr("What the head writes and looks for, in tokens"));
}

void InspectorHeader::setSides(Sides sides)
{
    m_wanted = sides;
    setAlone(m_alone);
}

void InspectorHeader::setAlone(std::optional<Side> side)
{
    m_alone = side;
    const Sides shown = !side ? m_wanted : *side == Side::Left ? LeftOnly : RightOnly;
    m_choice->button(shown)->setChecked(true);
    m_choice->button(Both)->setEnabled(!side);
    m_choice->button(Both)->setToolTip(
        side ? tr("There is room for one map only. Make this panel larger to see both.") : QString());
}

}  // namespace hs::panels
