#include "composer/figure_forms.h"

#include "composer/preset_uses.h"
#include "control/figures/figure_maker.h"
#include "panels/widgets/panel_widgets.h"
#include "render/translate.h"

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

/// Takes over what the grids show.
void addTaking(SpecForm& form, control::Explorer& explorer)
{
    auto* const button = new QToolButton;
    button->setText(tr("As shown now"));
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setPopupMode(QToolButton::MenuButtonPopup);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto take = [&form, &explorer] { takeShown(form, explorer); };
    auto* const menu = new QMenu(button);
    menu->addAction(tr("All heads of the &grids"), &form, take);
    QAction* const selected = menu->addAction(tr("&Selected heads alone"), &form,
                                              [&form, &explorer] { takeSelected(form, explorer); });
    button->setMenu(menu);
    QObject::connect(button, &QToolButton::clicked, &form, take);

    const auto refresh = [&explorer, button, selected] {
        selected->setEnabled(!explorer.selection().empty());
        const QString problem = control::asShownProblem(explorer.document());
        button->setEnabled(problem.isEmpty());
        button->setToolTip(problem.isEmpty() ? button->accessibleDescription() : problem);
    };
    form.addControl(
        {"asShown", QString(), tr("Take over heads, order, pinned cell and colours of the grids")}, button,
        [refresh](const control::FigureSpec&) { refresh(); });
    QObject::connect(&explorer, &control::Explorer::selectionChanged, &form, refresh);
}

}  // namespace

SpecForm* newPresetForm(control::Explorer& explorer, QWidget* parent)
{
    auto* const form = new SpecForm(explorer, tr("Figure"), parent);
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
    QComboBox* const preset = form->addIndex(
        {"preset", tr("Preset"), tr("What kind of figure it is")}, titles, read,
        [](control::FigureSpec& spec, int index) {
            spec = switchedTo(spec, control::presetNames()[static_cast<std::size_t>(index)].value);
        });
    preset->setMaxVisibleItems(titles.size());
    for (int index = 0; index < titles.size(); ++index)
        preset->setItemData(index, shows(control::presetNames()[static_cast<std::size_t>(index)].value),
                            Qt::ToolTipRole);
    QLabel* const words = panels::newQuietLabel(form, QStringLiteral("shows"));
    form->addControl({"shows", QString(), QString()}, words,
                     [words](const control::FigureSpec& spec) { words->setText(shows(spec.preset)); });
    addTaking(*form, explorer);
    form->addChoice<bool>({"isStacked", tr("Models"), tr("How both models stand to each other"),
                           usedBy(FigureKnob::Arrangement)},
                          {{tr("Side by side"), false}, {tr("Stacked"), true}},
                          [](auto& spec) -> auto& { return spec.isStacked; });
    return form;
}

void takeShown(SpecForm& form, control::Explorer& explorer)
{
    control::FigureSpec shown =
        control::figureAsShown(explorer.document(), form.spec().preset, explorer.shownGrids());
    if (const auto head = explorer.currentHead(); head && uses(form.spec().preset, FigureKnob::OneHead))
        for (control::FigureSide& side : shown.sides)
            side.grid.list = {*head};
    form.edit(tr("As shown now"), [&](control::FigureSpec& spec) { spec = shown; });
}

void takeSelected(SpecForm& form, control::Explorer& explorer)
{
    control::FigureSpec shown =
        control::figureAsShown(explorer.document(), form.spec().preset, explorer.shownGrids());
    for (const Side side : kSides) {
        const std::set<HeadId> selection = explorer.selection(side);
        if (selection.empty())  // made among other heads, on the other side
            continue;
        control::GridChoice& grid = shown.sides[indexOf(side)].grid;
        grid.form = control::GridChoice::Form::List;
        grid.order.clear();
        grid.list = explorer.shownHeads(side);
        std::erase_if(grid.list, [&](HeadId head) { return !selection.contains(head); });
        // An empty list would mean all heads.
        if (grid.list.empty())
            grid.list.assign(selection.begin(), selection.end());
    }
    form.edit(tr("Selected heads"), [&](control::FigureSpec& spec) { spec = shown; });
}

}  // namespace hs::composer
