#include "composer/preset_form.h"

#include "composer/preset_uses.h"
#include "control/figure_maker.h"
#include "panels/panel_widgets.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace hs {
namespace {

QString shows(FigurePreset preset)
{
    for (const PresetName& name : presetNames())
        if (name.value == preset) {
            QString line = QString::fromUtf8(name.shows);
            line.front() = line.front().toUpper();
            return line + QLatin1Char('.');
        }
    return {};
}

}  // namespace

PresetForm::PresetForm(Explorer& explorer, QWidget* parent) : SpecForm(explorer, tr("Figure"), parent)
{
    QStringList titles;
    for (const PresetName& name : presetNames())
        titles << presetTitle(name.value);
    const auto read = [](const FigureSpec& spec) {
        const auto names = presetNames();
        const auto found = std::find_if(names.begin(), names.end(),
                                        [&](const PresetName& name) { return name.value == spec.preset; });
        return static_cast<int>(found - names.begin());
    };
    QComboBox* const preset =
        addIndex({"preset", tr("Preset"), tr("What kind of figure it is")}, titles, read,
                 [](FigureSpec& spec, int index) {
                     spec = switchedTo(spec, presetNames()[static_cast<std::size_t>(index)].value);
                 });
    preset->setMaxVisibleItems(titles.size());
    for (int index = 0; index < titles.size(); ++index)
        preset->setItemData(index, shows(presetNames()[static_cast<std::size_t>(index)].value),
                            Qt::ToolTipRole);
    m_shows = newQuietLabel(this, QStringLiteral("shows"));
    addControl({"shows", QString(), QString()}, m_shows,
               [this](const FigureSpec& spec) { m_shows->setText(shows(spec.preset)); });
    addControl({"asShown", QString(), tr("Take over heads, order, pinned cell and colours of the grids")},
               newButtons(), [](const FigureSpec&) {});
    addChoice<bool>(
        {"isStacked", tr("Models"), tr("How both models stand to each other"),
         [](const FigureSpec& spec) { return uses(spec.preset, FigureKnob::Arrangement); }},
        {{tr("Side by side"), false}, {tr("Stacked"), true}},
        [](auto& spec) -> auto& { return spec.isStacked; });
    connect(&explorer, &Explorer::selectionChanged, this, &PresetForm::refreshActions);
    refreshActions();
}

QWidget* PresetForm::newButtons()
{
    auto* const button = new QToolButton;
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

std::array<std::vector<HeadId>, 2> PresetForm::shownHeads()
{
    return {explorer().shownHeads(Side::Left), explorer().shownHeads(Side::Right)};
}

void PresetForm::takeShown()
{
    FigureSpec shown = figureAsShown(explorer().document(), spec().preset, shownHeads());
    if (const auto head = explorer().currentHead(); head && uses(spec().preset, FigureKnob::OneHead))
        for (FigureSide& side : shown.sides)
            side.grid.list = {*head};
    edit(tr("As shown now"), [&](FigureSpec& spec) { spec = shown; });
}

void PresetForm::takeSelected()
{
    FigureSpec shown = figureAsShown(explorer().document(), spec().preset, shownHeads());
    const std::set<HeadId>& selection = explorer().selection();
    for (const Side side : kSides) {
        GridChoice& grid = shown.sides[indexOf(side)].grid;
        grid.form = GridChoice::Form::List;
        grid.order.clear();
        grid.list = explorer().shownHeads(side);
        std::erase_if(grid.list, [&](HeadId head) { return !selection.contains(head); });
        // An empty list would stand for all heads.
        if (grid.list.empty())
            grid.list.assign(selection.begin(), selection.end());
    }
    edit(tr("Selected heads"), [&](FigureSpec& spec) { spec = shown; });
}

void PresetForm::refreshActions()
{
    m_takeSelected->setEnabled(!explorer().selection().empty());
}

}  // namespace hs
