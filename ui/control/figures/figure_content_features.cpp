#include "control/document/token_label.h"
#include "control/figures/figure_features.h"
#include "render/translate.h"
#include "stats/attribution_share.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hs::control {
namespace {

using Kind = features::GraphNode::Kind;

constexpr std::size_t kMostCallouts = 4;
constexpr double kLeastCallout = 0.02;  // share of the logit's inputs
constexpr double kNoLoad = 1e-4;        // share of the largest load: a zero after rounding

/// A supernode and what it adds to the logit directly.
struct Callout {
    features::Supernode group;
    int position = 0;
    double effect = 0;
};

/// The logit that the figure explains: the first one.
std::optional<int> logitOf(const features::Graph& graph)
{
    const auto found = std::ranges::find(graph.nodes, Kind::Logit, &features::GraphNode::kind);
    return found == graph.nodes.end() ? std::nullopt
                                      : std::optional(static_cast<int>(found - graph.nodes.begin()));
}

/// What each node adds to the logit. [node]
std::vector<double> effectsOn(const features::Graph& graph, int logit)
{
    std::vector<double> effects(graph.nodes.size(), 0);
    for (const features::GraphEdge& edge : graph.edges)
        if (edge.target == logit)
            effects[static_cast<std::size_t>(edge.source)] = edge.weight;
    return effects;
}

/// Of each token, the group of features that adds most; features in no group are groups of their own. Strongest
/// first.
std::vector<Callout> calloutsOf(const SideFeatures& side, const std::vector<double>& effects,
                                const std::vector<QString>& tokens)
{
    const features::Graph& graph = side.found.graph;
    std::vector<features::Supernode> groups = side.groups;
    std::vector<bool> isIn(graph.nodes.size(), false);
    for (const features::Supernode& group : groups)
        for (const int node : figures::indicesOf(graph, group.members))
            isIn[static_cast<std::size_t>(node)] = true;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        if (graph.nodes[node].kind == Kind::Feature && !isIn[node])
            groups.push_back({tokens[static_cast<std::size_t>(graph.nodes[node].position)].toStdString(),
                              {features::idOf(graph.nodes[node])}});
    std::map<int, Callout> best;  // by position
    for (const features::Supernode& group : groups) {
        const std::vector<int> members = figures::indicesOf(graph, group.members);
        if (members.empty())
            continue;
        Callout callout{group, graph.nodes[static_cast<std::size_t>(members.front())].position, 0};
        for (const int member : members)
            callout.effect += effects[static_cast<std::size_t>(member)];
        const auto [known, isNew] = best.try_emplace(callout.position, callout);
        if (!isNew && std::abs(known->second.effect) < std::abs(callout.effect))
            known->second = callout;
    }
    std::vector<Callout> callouts;
    for (const auto& [position, callout] : best)
        if (callout.effect != 0)
            callouts.push_back(callout);
    std::ranges::stable_sort(callouts, std::ranges::greater(),
                             [](const Callout& callout) { return std::abs(callout.effect); });
    return callouts;
}

features::EdgeHeads headsOf(const FigureSources& sources, const SideFeatures& side,
                            const features::Supernode& group, int logit)
{
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::EdgeHeads;
    request.side = sources.sideRequest(side.side);
    request.side.target = sources.spec().target.toStdString();
    request.side.distractor = sources.spec().versus.toStdString();
    request.graph.coders = sources.request().graphs[indexOf(side.side)].coders.toStdString();
    for (const int member : figures::indicesOf(side.found.graph, group.members))
        request.graph.sources.push_back(
            features::idOf(side.found.graph.nodes[static_cast<std::size_t>(member)]));
    request.graph.targets = {features::idOf(side.found.graph.nodes[static_cast<std::size_t>(logit)])};
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

}  // namespace

std::optional<figures::AttributionFigure> featureAttribution(const FigureSources& sources)
{
    figures::AttributionFigure figure;
    figure.tokens = sources.tokenLabels();
    std::vector<SideFeatures> sides;
    for (const Side side : sources.sides())
        sides.push_back(featuresOf(sources, side));
    const SideFeatures& last = sides.back();
    const std::optional<int> logit = logitOf(last.found.graph);
    if (!logit)
        return std::nullopt;
    const features::GraphNode& target = last.found.graph.nodes[static_cast<std::size_t>(*logit)];
    figure.position = target.position;
    figure.probability = target.probability;
    const std::vector<double> effects = effectsOn(last.found.graph, *logit);
    std::vector<Callout> callouts = calloutsOf(last, effects, figure.tokens);
    // Heads carry nothing from a token to itself that need be told: the arrow starts elsewhere.
    const auto first = std::ranges::find_if(callouts, [&](const Callout& callout) {
        return sources.spec().key ? callout.position == *sources.spec().key
                                  : callout.position != figure.position;
    });
    if (first == callouts.end())
        return std::nullopt;
    std::rotate(callouts.begin(), first, first + 1);
    const int key = callouts.front().position;

    double total = std::abs(last.found.graph.rests[static_cast<std::size_t>(*logit)]);
    for (const double effect : effects)
        total += std::abs(effect);
    for (const Callout& callout : callouts) {
        const double share = total > 0 ? std::abs(callout.effect) / total : 0;
        if (figure.sources.size() == kMostCallouts || (share < kLeastCallout && !figure.sources.empty()))
            break;
        const features::LayerSpan layers = features::spanOf(callout.group);
        figure.sources.push_back({callout.position, layers.first, layers.last, share, 0,
                                  QString::fromStdString(callout.group.name)});
    }
    QStringList trust;
    for (const SideFeatures& side : sides) {
        const std::optional<int> own = logitOf(side.found.graph);
        if (!own)
            return std::nullopt;
        const std::vector<Callout> ownCallouts =
            calloutsOf(side, effectsOn(side.found.graph, *own), figure.tokens);
        const auto source = std::ranges::find(ownCallouts, key, &Callout::position);
        const features::EdgeHeads edge =
            source == ownCallouts.end() ? features::EdgeHeads{} : headsOf(sources, side, source->group, *own);
        figure.sides.push_back(carryingHeads(sources, side.side, edge, {figure.position, key}));
        trust << tr("%1: %2").arg(sources.title(side.side), trustWords(side.found.graph));
    }
    figure.sources.front().heads = static_cast<int>(figure.sides.back().carrying.heads.size());
    const text::Tokenizer* const tokenizer = sources.sideRequest(last.side).model->tokenizer.get();
    figure.target = sources.spec().target.trimmed();
    if (figure.target.isEmpty())
        figure.target = tokenizer ? tokenLabel(tokenizer->tokenText(target.index)).remove(QChar(0x00b7))
                                  : QStringLiteral("#%1").arg(target.index);
    figure.caption =
        tr("Boxes: features of one meaning, their layers and their share of what adds to the logit of "
           "“%1” at query %2. Heads by what they carry to it from “%3” at key %4, patterns and norms "
           "held; each model by its own features. %5. On %6.")
            .arg(figure.target)
            .arg(figure.position + 1)
            .arg(figure.sources.front().name)
            .arg(key + 1)
            .arg(trust.join(QStringLiteral("; ")), sources.promptWords());
    return figure;
}

}  // namespace hs::control
