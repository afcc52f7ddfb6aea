#include "control/document/feature_words.h"
#include "control/document/token_label.h"
#include "control/figures/figure_features.h"
#include "features/graph/token_sources.h"
#include "render/translate.h"
#include "stats/attribution_share.h"

#include <algorithm>
#include <cmath>

namespace hs::control {
namespace {

using Kind = features::GraphNode::Kind;

constexpr std::size_t kMostCallouts = 4;
constexpr double kLeastCallout = 0.02;  // share of the influence
constexpr double kNoLoad = 1e-4;        // share of the largest load: a zero after rounding

/// A side with the tokens that its prediction comes from.
struct TracedSide {
    SideFeatures features;
    std::vector<features::TokenSource> tokens;

    const features::Graph& graph() const { return features.found.graph; }
    const features::GraphNode& node(int index) const
    {
        return graph().nodes[static_cast<std::size_t>(index)];
    }
};

/// Whether a feature is known to promote a token, given by its label.
bool promotes(const TracedSide& side, int node, const QString& token)
{
    const features::GraphNode& feature = side.node(node);
    const auto* const texts = side.features.found.textsOf({feature.layer, static_cast<int>(feature.index)});
    return texts && std::ranges::any_of(texts->promotes, [&](const features::FeatureToken& promoted) {
               return tokenLabel(promoted.text).remove(QChar(0x00b7)) == token;
           });
}

/// What is at a token: a name of the user's, the word that its strongest feature fires on, or "→ small" if one of its
/// features promotes the target; empty otherwise.
QString nameOfSource(const TracedSide& side, const GraphChoice& choice, const features::TokenSource& source,
                     const QString& target)
{
    std::vector<int> fired = source.nodes;
    std::erase_if(fired, [&](int node) { return side.node(node).kind != Kind::Feature; });
    for (const features::Supernode& group : choice.groups)
        for (const int member : figures::indicesOf(side.graph(), group.members))
            if (!group.name.empty() && std::ranges::find(fired, member) != fired.end())
                return QString::fromStdString(group.name);
    const QString name = featureName(side.features.found, choice, fired);
    if (!name.startsWith(QChar(0x2192)))
        return name;
    // What else the strongest one promotes says little about all that is here.
    return std::ranges::any_of(fired, [&](int node) { return promotes(side, node, target); })
               ? QStringLiteral("→ %1").arg(target)
               : QString();
}

figures::AttributionSource calloutOf(const TracedSide& side, const GraphChoice& choice,
                                     const features::TokenSource& source, const QString& target)
{
    figures::AttributionSource callout;
    callout.position = source.position;
    callout.share = source.share;
    callout.name = nameOfSource(side, choice, source, target);
    features::Supernode fired;
    for (const int node : source.nodes)
        if (side.node(node).kind == Kind::Feature)
            fired.members.push_back(features::idOf(side.node(node)));
    callout.isEmbedding = fired.members.empty();
    const features::LayerSpan layers = features::spanOf(fired);
    callout.firstLayer = layers.first;
    callout.lastLayer = layers.last;
    return callout;
}

/// The ends of the arrow first, then the other tokens by their share.
std::vector<figures::AttributionSource> calloutsOf(const TracedSide& side, const GraphChoice& choice,
                                                   const features::Crossing& crossing, const QString& target)
{
    std::vector<features::TokenSource> tokens = side.tokens;
    const int ends[] = {crossing.source.position, side.node(crossing.target).position};
    std::ranges::stable_sort(tokens, {}, [&](const features::TokenSource& token) {
        return std::ranges::find(ends, token.position) - std::begin(ends);
    });
    std::vector<figures::AttributionSource> callouts;
    for (const features::TokenSource& token : tokens) {
        const bool isEnd = std::ranges::find(ends, token.position) != std::end(ends);
        if (callouts.size() < kMostCallouts && (isEnd || token.share >= kLeastCallout))
            callouts.push_back(calloutOf(side, choice, token, target));
    }
    return callouts;
}

features::EdgeHeads headsOf(const FigureSources& sources, const TracedSide& side,
                            const features::Crossing& crossing)
{
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::EdgeHeads;
    request.side = sources.sideRequest(side.features.side);
    request.side.view.reset();
    request.side.target = sources.spec().target.toStdString();
    request.side.distractor = sources.spec().versus.toStdString();
    request.graph.coders = sources.request().graphs[indexOf(side.features.side)].coders.toStdString();
    for (const int node : crossing.source.nodes)
        request.graph.sources.push_back(features::idOf(side.node(node)));
    request.graph.targets = {features::idOf(side.node(crossing.target))};
    return std::get<features::EdgeHeads>(orThrow(sources.backend().analyse(request, sources.hooks(), {})));
}

/// The fewest heads that carry the wanted share of the edge, by |load|.
figures::AttributionSide carryingHeads(const FigureSources& sources, Side shown,
                                       const features::EdgeHeads& edge, CellId mark)
{
    figures::AttributionSide side;
    double total = 0, carried = 0, most = 0;
    for (const double load : edge.loads) {
        total += std::abs(load);
        most = std::max(most, std::abs(load));
    }
    side.candidates = static_cast<int>(
        std::ranges::count_if(edge.loads, [&](double load) { return std::abs(load) > kNoLoad * most; }));
    std::vector<HeadId> heads;
    for (const std::size_t index : stats::smallestReaching(edge.loads, sources.spec().share)) {
        heads.push_back(edge.shape.at(static_cast<int>(index)));
        side.contributions.push_back(edge.loads[index]);
        carried += std::abs(edge.loads[index]);
    }
    side.share = total > 0 ? carried / total : 0;
    side.carrying = sources.panel(shown, std::move(heads), {});
    side.carrying.mark = mark;
    return side;
}

/// "L0F134", or "the output".
QString targetWords(const TracedSide& side, int target)
{
    const features::GraphNode& node = side.node(target);
    return node.kind == Kind::Feature
               ? QString::fromStdString(toString(FeatureId{node.layer, static_cast<int>(node.index)}))
               : tr("the output");
}

QString logitWords(const FigureSources& sources, Side side, const features::GraphNode& logit)
{
    if (const QString asked = sources.spec().target.trimmed(); !asked.isEmpty())
        return asked;
    const text::Tokenizer* const tokenizer = sources.sideRequest(side).model->tokenizer.get();
    return tokenizer ? tokenLabel(tokenizer->tokenText(logit.index)).remove(QChar(0x00b7))
                     : QStringLiteral("#%1").arg(logit.index);
}

}  // namespace

std::optional<figures::AttributionFigure> featureAttribution(const FigureSources& sources)
{
    std::vector<TracedSide> sides;
    for (const Side side : sources.sides()) {
        TracedSide& traced = sides.emplace_back(TracedSide{featuresOf(sources, side), {}});
        traced.tokens = features::tokenSources(traced.graph());
    }
    const TracedSide& last = sides.back();
    const auto crossing = features::crossingFrom(last.graph(), last.tokens, sources.spec().key);
    if (!crossing)
        return std::nullopt;
    const features::GraphNode& logit = last.node(*features::logitOf(last.graph()));
    const features::GraphNode& end = last.node(crossing->target);
    const int key = crossing->source.position;

    figures::AttributionFigure figure;
    figure.tokens = sources.tokenLabels();
    figure.position = logit.position;
    figure.probability = logit.probability;
    figure.target = logitWords(sources, last.features.side, logit);
    figure.sources =
        calloutsOf(last, sources.request().graphs[indexOf(last.features.side)], *crossing, figure.target);
    if (end.kind == Kind::Feature)
        figure.arrowTo = end.position;
    QStringList ends, trust;
    for (const TracedSide& side : sides) {
        const auto own = features::crossingFrom(side.graph(), side.tokens, key);
        const features::EdgeHeads edge = own ? headsOf(sources, side, *own) : features::EdgeHeads{};
        const QString title = sources.title(side.features.side);
        const int query = own ? side.node(own->target).position : figure.position;
        figure.sides.push_back(carryingHeads(sources, side.features.side, edge, {query, key}));
        ends << tr("%1: %2").arg(title, own ? targetWords(side, own->target) : tr("nothing"));
        trust << tr("%1: %2").arg(title, trustWords(side.graph()));
    }
    figure.sources.front().heads = static_cast<int>(figure.sides.back().carrying.heads.size());
    figure.caption =
        tr("Boxes: what fires at a token (→: what it promotes), its layers, and the share of the influence "
           "on “%1” "
           "that starts there. Heads: those that carry it from key %2 to what it influences most (%3), "
           "patterns and "
           "norms held. %4. On %5.")
            .arg(figure.target)
            .arg(key + 1)
            .arg(ends.join(QStringLiteral(", ")), trust.join(QStringLiteral("; ")), sources.promptWords());
    return figure;
}

}  // namespace hs::control
