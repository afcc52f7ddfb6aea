#include "composer/figure_forms.h"

#include "composer/preset_uses.h"
#include "panels/metrics/metric_names.h"
#include "panels/widgets/shown_tokens.h"
#include "render/translate.h"

#include <array>

namespace hs::composer {
namespace {

SpecForm::Choices<QString> metrics()
{
    SpecForm::Choices<QString> choices;
    for (const stats::Metric* const metric : panels::metricsInTableOrder())
        choices.emplace_back(panels::metricTitle(*metric), panels::nameOf(*metric));
    return choices;
}

/// Whether the threshold matters: to cells and edges, or because heads without an edge are left out.
bool hasThreshold(const control::FigureSpec& spec)
{
    const bool isOfEdges =
        spec.preset == control::FigurePreset::KeyQuery || spec.preset == control::FigurePreset::Flow;
    const bool hasFilter = spec.sides.front().hasOnlyActive || spec.sides.back().hasOnlyActive;
    return uses(spec.preset, FigureKnob::Threshold) && (isOfEdges || hasFilter);
}

QComboBox* addPosition(SpecForm& form, const char* name, const QString& label,
                       std::optional<int> control::FigureSpec::* field)
{
    return form.addIndex(
        {name, label, tr("A token's position in the prompt"), usedBy(FigureKnob::Cell)}, {},
        [field](const control::FigureSpec& spec) { return (spec.*field).value_or(-1) + 1; },
        [field](control::FigureSpec& spec, int index) {
            spec.*field = index == 0 ? std::nullopt : std::optional(index - 1);
        });
}

/// Offers the tokens of the current prompt.
void listTokens(control::Explorer& explorer, SpecForm& form, const std::array<QComboBox*, 2>& positions)
{
    QStringList tokens = {tr("Automatic")};
    for (int position = 0; position < panels::tokenCount(explorer, control::Axis::Query); ++position)
        tokens << QStringLiteral("%1  %2").arg(position).arg(
            panels::tokenLabelAt(explorer, control::Axis::Query, position));
    QStringList listed;
    for (int index = 0; index < positions.front()->count(); ++index)
        listed << positions.front()->itemText(index);
    if (tokens == listed)
        return;
    for (QComboBox* const combo : positions) {
        const QSignalBlocker blocker(combo);
        combo->clear();
        combo->addItems(tokens);
    }
    form.refresh();
}

}  // namespace

SpecForm* newAnalysisForm(control::Explorer& explorer, QWidget* parent)
{
    auto* const form = new SpecForm(explorer, tr("Analysis"), parent);
    form->addChoice({"metric", tr("Metric"), tr("The value of each head"), usedBy(FigureKnob::Metric)},
                    metrics(), [](auto& spec) -> auto& { return spec.metric; });
    const std::array positions = {addPosition(*form, "key", tr("Key"), &control::FigureSpec::key),
                                  addPosition(*form, "query", tr("Query"), &control::FigureSpec::query)};
    form->addNumber({"threshold", tr("Threshold"), tr("Weights below it are no edge"), hasThreshold},
                    {0, 1, 0.05, 3}, [](auto& spec) -> auto& { return spec.threshold; });
    form->addText(
        {"target", tr("Target"), tr("The token whose logit is explained"), usedBy(FigureKnob::Target)},
        tr("What is predicted"), [](auto& spec) -> auto& { return spec.target; });
    form->addText(
        {"versus", tr("Versus"), tr("A token whose logit is subtracted"), usedBy(FigureKnob::Target)},
        tr("Nothing"), [](auto& spec) -> auto& { return spec.versus; });
    form->addText({"corrupted", tr("Corrupted"),
                   tr("A prompt of the same length in which the answer is another"),
                   usedBy(FigureKnob::Corrupted)},
                  tr("Another prompt"), [](auto& spec) -> auto& { return spec.corrupted; });
    form->addNumber({"share", tr("Share"), tr("Heads are drawn until they carry this share together"),
                     usedBy(FigureKnob::Share)},
                    {0, 1, 0.05, 2}, [](auto& spec) -> auto& { return spec.share; });
    form->addNumber({"level", tr("Level"), tr("The explained effect at which both models are compared"),
                     usedBy(FigureKnob::Level)},
                    {0, 1, 0.05, 2}, [](auto& spec) -> auto& { return spec.level; });
    const auto list = [&explorer, form, positions] { listTokens(explorer, *form, positions); };
    QObject::connect(&explorer, &control::Explorer::stateChanged, form, list);
    list();
    form->refresh();
    return form;
}

}  // namespace hs::composer
