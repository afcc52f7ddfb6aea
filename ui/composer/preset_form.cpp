#include "composer/preset_form.h"

#include "composer/preset_uses.h"
#include "control/figures/figure_maker.h"
#include "panels/widgets/panel_widgets.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace hs::composer {
namespace {

QString shows(control::FigurePreset preset)
{
    for (const control::PresetName& name : control::presetNames())
        if (name.value == preset) {
            QString line = QString::fromUtf8(name.shows);
            line.front() = line.front().toUpper();
            return line + QLatin1Char('.');
        }
    return {};
}

}  // namespace

PresetForm::PresetForm(control::Explorer& explorer, QWidget* parent)
    : SpecForm(explorer, tr("Figure"), parent)
{
    QStringList titles;
    for (const control::PresetName& name : control::presetNames())
        titles << presetTitle(name.value);
    const auto read = [](const control::FigureSpec& spec) {
        const auto names = control::presetNames();
        const auto found = std::find_if(names.begin(), names.end(), [&](const control::PresetName& name) {
            return name.value == spec.preset;
        });
        return static_cast<int>(found - names.begin());
    };
    QComboBox* const preset =
        addIndex({"preset", tr("Preset"), tr("What kind of figure it is")}, titles, read,
                 [](control::FigureSpec& spec, int index) {
                     spec = switchedTo(spec, control::presetNames()[static_cast<std::size_t>(index)].value);
                 });
    preset->setMaxVisibleItems(titles.size());
    for (int index = 0; index < titles.size(); ++index)
        preset->setItemData(index, shows(control::presetNames()[static_cast<std::size_t>(index)].value),
                            Qt::ToolTipRole);
    m_shows = panels::newQuietLabel(this, QStringLiteral("shows"));
    addControl({"shows", QString(), QString()}, m_shows,
               [this](const control::FigureSpec& spec) { m_shows->setText(shows(spec.preset)); });
    addControl({"asShown", QString(), tr("Take over heads, order, pinned cell and colours of the grids")},
               newButtons(), [](const control::FigureSpec&) {});
    addChoice<bool>({"isStacked", tr("Models"), tr("How both models stand to each other"),
                     usedBy(FigureKnob::Arrangement)},
                    {{tr("Side by side"), false}, {tr("Stacked"), true}},
                    [](auto& spec) -> auto& { return spec.isStacked; });
    connect(&explorer, &control::Explorer::selectionChanged, this, &PresetForm::refreshActions);
    connect(&explorer, &control::Explorer::documentChanged, this, &PresetForm::refreshActions);
    refreshActions();
}

QWidget* PresetForm::newButtons()
{
    auto* const button = m_asShown = new QToolButton;
    button->setText(tr("As shown now"));
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setPopupMode(QToolButton::MenuButtonPopup);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* const menu = new QMenu(button);
    menu->addAction(tr("All heads of the &grids"), this, &PresetForm::takeShown);
    m_takeSelected = menu->addAction(tr("&Selected heads alone"), this, &PresetForm::takeSelected);
    button->setMenu(menu);
    connect(button, &QToolButton::clicked, this, &PresetForm::takeShown);
    return button;
}

void PresetForm::takeShown()
{
    control::FigureSpec shown =
        control::figureAsShown(explorer().document(), spec().preset, explorer().shownGrids());
    if (const auto head = explorer().currentHead(); head && uses(spec().preset, FigureKnob::OneHead))
        for (control::FigureSide& side : shown.sides)
            side.grid.list = {*head};
    edit(tr("As shown now"), [&](control::FigureSpec& spec) { spec = shown; });
}

void PresetForm::takeSelected()
{
    control::FigureSpec shown =
        control::figureAsShown(explorer().document(), spec().preset, explorer().shownGrids());
    for (const Side side : kSides) {
        const std::set<HeadId> selection = explorer().selection(side);
        if (selection.empty())  // made among other heads, on the other side
            continue;
        control::GridChoice& grid = shown.sides[indexOf(side)].grid;
        grid.form = control::GridChoice::Form::List;
        grid.order.clear();
        grid.list = explorer().shownHeads(side);
        std::erase_if(grid.list, [&](HeadId head) { return !selection.contains(head); });
        // An empty list would mean all heads.
        if (grid.list.empty())
            grid.list.assign(selection.begin(), selection.end());
    }
    edit(tr("Selected heads"), [&](control::FigureSpec& spec) { spec = shown; });
}

void PresetForm::refreshActions()
{
    m_takeSelected->setEnabled(!explorer().selection().empty());
    const QString problem = control::asShownProblem(explorer().document());
    m_asShown->setEnabled(problem.isEmpty());
    m_asShown->setToolTip(problem.isEmpty() ? m_asShown->accessibleDescription() : problem);
}

}  // namespace hs::composer
