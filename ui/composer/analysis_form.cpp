#include "composer/analysis_form.h"

#include "analyses/written_units.h"
#include "composer/preset_uses.h"
#include "panels/widgets/metric_names.h"
#include "panels/widgets/shown_tokens.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSignalBlocker>

namespace hs::composer {
namespace {

SpecForm::Choices<QString> metrics()
{
    SpecForm::Choices<QString> choices;
    for (const stats::Metric* const metric : panels::metricsInTableOrder())
        choices.emplace_back(panels::metricTitle(*metric), panels::nameOf(*metric));
    choices.emplace_back(AnalysisForm::tr("share of the answer"),
                         QString::fromLatin1(analyses::kLogitMetric.data()));
    return choices;
}

/// Whether a token can be named whose logit is explained.
bool hasTarget(const control::FigureSpec& spec)
{
    return uses(spec.preset, FigureKnob::Target) || (spec.preset == control::FigurePreset::Summary &&
                                                     spec.metric.toStdString() == analyses::kLogitMetric);
}

/// Whether the threshold matters: to cells and edges, or because heads without an edge are left out.
bool hasThreshold(const control::FigureSpec& spec)
{
    const bool isOfEdges =
        spec.preset == control::FigurePreset::KeyQuery || spec.preset == control::FigurePreset::Flow;
    const bool hasFilter = spec.sides.front().hasOnlyActive || spec.sides.back().hasOnlyActive;
    return uses(spec.preset, FigureKnob::Threshold) && (isOfEdges || hasFilter);
}

}  // namespace

AnalysisForm::AnalysisForm(control::Explorer& explorer, QWidget* parent)
    : SpecForm(explorer, tr("Analysis"), parent)
{
    addChoice({"metric", tr("Metric"), tr("The value of each head"), usedBy(FigureKnob::Metric)}, metrics(),
              [](auto& spec) -> auto& { return spec.metric; });
    addChoice({"units", tr("Units"), tr("Whether MLPs are shown beside heads"), usedBy(FigureKnob::Units)},
              Choices<Units>{{tr("Heads"), Units::Heads}, {tr("Heads and MLPs"), Units::HeadsAndMlps}},
              [](auto& spec) -> auto& { return spec.units; });
    m_positions = {addPosition("key", tr("Key"), &control::FigureSpec::key),
                   addPosition("query", tr("Query"), &control::FigureSpec::query)};
    addNumber({"threshold", tr("Threshold"), tr("Weights below it are no edge"), hasThreshold},
              {0, 1, 0.05, 3}, [](auto& spec) -> auto& { return spec.threshold; });
    addText({"target", tr("Target"), tr("The token whose logit is explained"), hasTarget},
            tr("What is predicted"), [](auto& spec) -> auto& { return spec.target; });
    addText({"versus", tr("Versus"), tr("A token whose logit is subtracted"), hasTarget}, tr("Nothing"),
            [](auto& spec) -> auto& { return spec.versus; });
    addText({"corrupted", tr("Corrupted"), tr("A prompt of the same length in which the answer is another"),
             usedBy(FigureKnob::Corrupted)},
            tr("Another prompt"), [](auto& spec) -> auto& { return spec.corrupted; });
    addNumber({"share", tr("Share"), tr("Heads are drawn until they carry this share together"),
               usedBy(FigureKnob::Share)},
              {0, 1, 0.05, 2}, [](auto& spec) -> auto& { return spec.share; });
    addNumber({"level", tr("Level"), tr("The explained effect at which both models are compared"),
               usedBy(FigureKnob::Level)},
              {0, 1, 0.05, 2}, [](auto& spec) -> auto& { return spec.level; });
    connect(&explorer, &control::Explorer::stateChanged, this, &AnalysisForm::listTokens);
    listTokens();
    refresh();
}

QComboBox* AnalysisForm::addPosition(const char* name, const QString& label,
                                     std::optional<int> control::FigureSpec::* field)
{
    return addIndex(
        {name, label, tr("A token's position in the prompt"), usedBy(FigureKnob::Cell)}, {},
        [field](const control::FigureSpec& spec) { return (spec.*field).value_or(-1) + 1; },
        [field](control::FigureSpec& spec, int index) {
            spec.*field = index == 0 ? std::nullopt : std::optional(index - 1);
        });
}

void AnalysisForm::listTokens()
{
    QStringList tokens = {tr("Automatic")};
    for (int position = 0; position < panels::tokenCount(explorer(), control::Axis::Query); ++position)
        tokens << QStringLiteral("%1  %2").arg(position).arg(
            panels::tokenLabelAt(explorer(), control::Axis::Query, position));
    if (tokens == m_tokens)
        return;
    m_tokens = tokens;
    for (QComboBox* const combo : m_positions) {
        const QSignalBlocker blocker(combo);
        combo->clear();
        combo->addItems(tokens);
    }
    refresh();
}

}  // namespace hs::composer
