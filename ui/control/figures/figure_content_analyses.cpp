#include "control/document/circuit_words.h"
#include "control/document/token_label.h"
#include "control/figures/figure_features.h"
#include "control/figures/figure_results.h"
#include "control/figures/figure_sources.h"
#include "render/translate.h"
#include "stats/attribution_share.h"

#include <algorithm>
#include <cmath>

namespace hs::control {
namespace {

constexpr double kLeastSource = 0.05;  // share of a token that gets a box
constexpr double kLeastReader = 0.02;  // share of a head that counts as reading a source
constexpr std::size_t kMostSources = 3;
constexpr int kMostMlps = 3;  // named

/// Contributions of all cells of the predicting query, on one side.
struct SideContributions {
    Side side;
    int position = 0;
    std::optional<double> probability;  // of the target; none if it was not computed
    std::vector<CellContribution> edges;
};

/// What a side's curve asks of an analysis; tokens and prompts are the figure's own.
service::AnalysisRequest circuitRequest(const FigureSources& sources, Side side)
{
    const FigureSpec& spec = sources.spec();
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::Circuit;
    request.side = sources.sideRequest(side);
    request.side.view.reset();
    request.side.target = spec.target.toStdString();
    request.side.distractor = spec.versus.toStdString();
    request.corrupted = spec.corrupted.toStdString();
    request.circuit.level = spec.level;
    if (spec.units == Units::HeadsAndMlps)
        request.circuit.units = analyses::CircuitUnits::HeadsAndMlps;
    return request;
}

/// A result may belong to another model or prompt.
void requireCellsOf(const engine::RunResult& run, const std::vector<CellContribution>& edges)
{
    const int tokens = static_cast<int>(run.tokens.size());
    for (const CellContribution& edge : edges)
        if (!run.heads.contains(edge.head) || edge.query >= tokens || edge.key > edge.query)
            fail(ErrorCode::BadRequest,
                 "The attribution names " + toString(edge.head) + " from key " + std::to_string(edge.key) +
                     " to query " + std::to_string(edge.query) +
                     ", which this model and prompt do not have; make it again on them.");
}

SideContributions contributionsOf(const FigureSources& sources, Side side)
{
    SideContributions result{side, sources.run(side)->position, {}, {}};
    const std::string& given = sources.sideSpec(side).result;
    if (!given.empty()) {
        result.edges = readContributions(given);
        requireCellsOf(sources.run(side)->after, result.edges);
        if (!result.edges.empty())
            result.position = result.edges.front().query;
        std::erase_if(result.edges,
                      [&](const CellContribution& edge) { return edge.query != result.position; });
        return result;
    }
    const engine::Attribution attribution = sources.attribution(side);
    result.position = attribution.position;
    result.probability = attribution.probability;
    for (const engine::AttributionEdge& edge : attribution.edges)
        result.edges.push_back({edge.head, attribution.position, edge.key, edge.value});
    return result;
}

/// Tokens with the share of all absolute contributions that heads bring from them.
std::vector<figures::AttributionSource> sourcesOf(const SideContributions& side)
{
    std::map<int, figures::AttributionSource> byKey;
    double total = 0;
    for (const CellContribution& edge : side.edges)
        total += std::abs(edge.value);
    for (const CellContribution& edge : side.edges) {
        const double share = total > 0 ? std::abs(edge.value) / total : 0;
        const auto [found, isNew] = byKey.try_emplace(
            edge.key, figures::AttributionSource{edge.key, edge.head.layer, edge.head.layer, 0, 0});
        figures::AttributionSource& source = found->second;
        source.share += share;
        if (share < kLeastReader)
            continue;
        if (source.heads == 0)
            source.firstLayer = source.lastLayer = edge.head.layer;
        source.firstLayer = std::min(source.firstLayer, edge.head.layer);
        source.lastLayer = std::max(source.lastLayer, edge.head.layer);
        ++source.heads;
    }
    std::vector<figures::AttributionSource> sources;
    for (const auto& [key, source] : byKey)
        sources.push_back(source);
    std::stable_sort(sources.begin(), sources.end(),
                     [](const figures::AttributionSource& a, const figures::AttributionSource& b) {
                         return a.share > b.share;
                     });
    return sources;
}

/// The smallest set of heads that brings the wanted share of what comes from `key`.
figures::AttributionSide attributionSide(const FigureSources& sources, const SideContributions& found,
                                         int key)
{
    std::vector<HeadId> heads;
    std::vector<double> values;
    for (const CellContribution& edge : found.edges)
        if (edge.key == key) {
            heads.push_back(edge.head);
            values.push_back(edge.value);
        }
    figures::AttributionSide side;
    side.candidates = static_cast<int>(heads.size());
    std::vector<HeadId> carrying;
    double total = 0, carried = 0;
    for (const double value : values)
        total += std::abs(value);
    for (const std::size_t index : stats::smallestReaching(values, sources.spec().share)) {
        carrying.push_back(heads[index]);
        side.contributions.push_back(values[index]);
        carried += std::abs(values[index]);
    }
    side.share = total > 0 ? carried / total : 0;
    side.carrying = sources.panel(found.side, std::move(carrying), {});
    side.carrying.mark = CellId{found.position, key};
    return side;
}

/// "+4.1", "−0.52".
QString signedNumber(double value)
{
    return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + QString::number(std::abs(value), 'g', 3);
}

/// "of the logit 12.3, heads write +8.1, MLPs +3.9 (most: L4MLP +2), embedding and biases +0.3."
QString wordsOfMlps(const WrittenSums& written)
{
    QStringList largest;
    for (const auto& [mlp, value] : written.mlps)
        if (largest.size() < kMostMlps)
            largest << QStringLiteral("%1 %2").arg(QString::fromStdString(toString(mlp)),
                                                   signedNumber(value));
    double mlps = 0;
    for (const auto& [mlp, value] : written.mlps)
        mlps += value;
    return tr("of the logit %1, heads write %2, MLPs %3 (most: %4), embedding and biases %5.")
        .arg(QString::number(written.logit, 'g', 3), signedNumber(written.heads), signedNumber(mlps),
             largest.join(QStringLiteral(", ")), signedNumber(written.logit - written.heads - mlps));
}

/// The same of every side, if MLPs are wanted.
QString wordsOfMlps(const FigureSources& sources)
{
    QString words;
    if (sources.spec().units != Units::HeadsAndMlps)
        return words;
    for (const Side side : sources.sides()) {
        const std::string& given = sources.sideSpec(side).result;
        const WrittenSums written =
            given.empty() ? writtenSums(sources.attribution(side)) : readWrittenSums(given);
        if (!written.mlps.empty())  // an older file says nothing of them
            words += QStringLiteral(" %1: ").arg(sources.title(side)) + wordsOfMlps(written);
    }
    return words;
}

figures::EffectCurve curveOf(const FigureSources& sources, Side side)
{
    const std::string& given = sources.sideSpec(side).result;
    figures::EffectCurve curve;
    if (!given.empty()) {
        curve = readCurve(given);
    } else {
        const auto circuit = std::get<analyses::Circuit>(
            orThrow(sources.backend().analyse(circuitRequest(sources, side), sources.hooks(), {})));
        curve.points = circuit.curve;
        curve.smallest = circuit.smallest;
    }
    curve.title = sources.title(side);
    return curve;
}

}  // namespace

figures::AttributionFigure makeAttributionFigure(const FigureSources& sources)
{
    sources.requireSamePositions();
    const bool isGiven = std::ranges::any_of(
        sources.sides(), [&](Side side) { return !sources.sideSpec(side).result.empty(); });
    if (!isGiven && haveFeatures(sources))
        if (auto figure = featureAttribution(sources)) {
            figure->caption += wordsOfMlps(sources);
            return *std::move(figure);
        }
    std::vector<SideContributions> found;
    for (const Side side : sources.sides())
        found.push_back(contributionsOf(sources, side));

    figures::AttributionFigure figure;
    figure.tokens = sources.tokenLabels();
    figure.position = found.back().position;
    figure.sources = sourcesOf(found.back());
    if (sources.spec().key)
        std::stable_partition(
            figure.sources.begin(), figure.sources.end(),
            [&](const figures::AttributionSource& source) { return source.position == *sources.spec().key; });
    const int key = figure.sources.empty() ? figure.position : figure.sources.front().position;
    for (std::size_t index = 1; index < figure.sources.size(); ++index)
        if (index >= kMostSources || figure.sources[index].share < kLeastSource) {
            figure.sources.resize(index);
            break;
        }
    for (const SideContributions& side : found)
        figure.sides.push_back(attributionSide(sources, side, key));
    const std::vector<engine::Prediction>& predictions = sources.run(found.back().side)->after.predictions;
    figure.target = sources.targetLabel(found.back().side);
    figure.probability =
        found.back().probability.value_or(predictions.empty() ? 0 : predictions.front().probability);
    figure.caption =
        tr("Direct contribution of key %1 to the logit of %2 at query %3, final norm frozen. On %4.")
            .arg(key + 1)
            .arg(sources.targetWords(found.back().side))
            .arg(figure.position + 1)
            .arg(sources.promptWords());
    figure.caption += wordsOfMlps(sources);
    return figure;
}

figures::ExplainedEffectFigure makeExplainedEffectFigure(const FigureSources& sources)
{
    const FigureSpec& spec = sources.spec();
    figures::ExplainedEffectFigure figure;
    figure.level = spec.level;
    figure.unit = unitWords(spec.units == Units::HeadsAndMlps ? analyses::CircuitUnits::HeadsAndMlps
                                                              : analyses::CircuitUnits::Heads);
    for (const Side side : sources.sides()) {
        figure.curves.push_back(curveOf(sources, side));
        if (const std::string& given = sources.sideSpec(side).result; !given.empty())
            figure.unit = unitWords(readUnits(given));
    }
    figure.caption = spec.corrupted.isEmpty()
                         ? tr("On %1.").arg(sources.promptWords())
                         : tr("Clean: %1. Corrupted: “%2”.").arg(sources.promptWords(), spec.corrupted);
    return figure;
}

}  // namespace hs::control
