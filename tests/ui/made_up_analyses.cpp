#include "ui/made_up_analyses.h"

#include "stats/correlation.h"
#include "ui/made_up_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hs::test {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double effectOf(int index)
{
    return (index % 3 == 2 ? -0.5 : 0.5) / (1 + index);
}

double explained(int kept, int total)
{
    return 1 - std::pow(1 - static_cast<double>(kept) / total, 3);
}

}  // namespace

MadeUpAnalyses::MadeUpAnalyses(const service::AnalysisRequest& request, Run run, Map map)
    : m_request(request), m_shape(request.side.model->heads), m_runOf(std::move(run)),
      m_mapOf(std::move(map)), m_run(m_runOf(request.side))
{
}

service::AnalysisResult MadeUpAnalyses::result() const
{
    switch (m_request.kind) {
    case service::AnalysisKind::Sweep: return sweep(false);
    case service::AnalysisKind::Circuit: return circuit(false);
    case service::AnalysisKind::Attribution: return attribution();
    case service::AnalysisKind::Scatter: return scatter();
    case service::AnalysisKind::Compare: return comparison();
    case service::AnalysisKind::Flow: return flow();
    case service::AnalysisKind::Graph: return madeUpGraph(m_shape, m_run.tokens);
    case service::AnalysisKind::Lens: return lens();
    case service::AnalysisKind::Saliency: return saliency();
    case service::AnalysisKind::HeadWords: return headWords();
    case service::AnalysisKind::History: return history(false);
    case service::AnalysisKind::Prompts:  // see madeUpScores
    case service::AnalysisKind::EdgeHeads: break;
    }
    return edgeHeads();
}

analyses::Sweep MadeUpAnalyses::sweep(bool isPartial) const
{
    analyses::Sweep found;
    found.shape = m_shape;
    found.kind = m_request.sweep.units;
    found.method = m_request.sweep.method;
    found.baseline = {7.5, 4.25, 0.75, 1.5, 0};
    const int perLayer = found.kind == analyses::SweepUnits::Heads    ? m_shape.heads
                         : found.kind == analyses::SweepUnits::Groups ? m_shape.kvHeads
                                                                      : 1;
    const int total = m_shape.layers * perLayer;
    for (int index = 0; index < total; ++index) {
        found.units.push_back({index / perLayer, index % perLayer});
        const double effect = effectOf(index);
        found.changes.push_back(
            isPartial && index >= total / 2
                ? engine::VariantReading{kUnknown, kUnknown, kUnknown, kUnknown, kUnknown}
                : engine::VariantReading{-effect, -2 * effect, -effect / 4, effect, effect * effect});
    }
    return found;
}

analyses::Circuit MadeUpAnalyses::circuit(bool isPartial) const
{
    analyses::Circuit found;
    found.shape = m_shape;
    found.tokens = tokens();
    found.kind = m_request.circuit.units;
    found.ranking = m_request.circuit.ranking;
    found.level = m_request.circuit.level;
    found.clean = 4.25;
    found.corrupted = found.none = -3.5;
    const int total = isPartial ? m_shape.total() / 2 : m_shape.total();
    for (int index = 0; index < total; ++index) {
        analyses::CircuitUnit unit{m_shape.at(index), std::nullopt, effectOf(index), effectOf(index) / 2};
        if (found.kind == analyses::CircuitUnits::Edges)
            unit.cell = CellId{tokens() - 1, index % tokens()};
        if (found.kind == analyses::CircuitUnits::Paths)
            unit.to = index % 3 == 0 || unit.head.layer + 1 == m_shape.layers
                          ? engine::PathEnd{}
                          : engine::PathEnd{{unit.head.layer + 1, 0}, engine::PathInput::Key};
        found.units.push_back(unit);
    }
    if (isPartial || found.kind == analyses::CircuitUnits::Paths)
        return found;
    found.smallest = total;
    for (int kept = total; kept >= 0; --kept) {
        found.curve.insert(found.curve.begin(), {kept, explained(kept, total)});
        if (explained(kept, total) >= found.level)
            found.smallest = kept;
    }
    if (m_request.circuit.isRefined)
        for (int rank = 0; rank < found.smallest; rank += 2)
            found.refined.push_back(rank);
    return found;
}

engine::Attribution MadeUpAnalyses::attribution() const
{
    engine::Attribution found;
    found.shape = m_shape;
    found.position = std::min(m_request.side.position.value_or(tokens() - 1), tokens() - 1);
    found.probability = 0.5;
    for (int index = 0; index < m_shape.total(); ++index) {
        const HeadId head = m_shape.at(index);
        const std::vector<float> map = m_mapOf(m_request.side, head);
        found.heads.push_back(0);
        for (int key = 0; key <= found.position; ++key) {
            const double value =
                map[static_cast<std::size_t>(found.position * tokens() + key)] / (1.0 + index);
            found.heads.back() += value;
            if (value > 0)
                found.edges.push_back({head, key, value});
        }
        found.logit += found.heads.back();
        found.parts.push_back(
            {engine::AttributionPart::Kind::Head, head.layer, head.head, found.heads.back()});
    }
    // Half of what the largest head does, downwards in every second layer; each MLP pushes the token of its layer's number.
    const double half = *std::ranges::max_element(found.heads) / 2;
    for (int layer = 0; layer < m_shape.layers; ++layer) {
        const double value = layer % 2 == 0 ? half : -half;
        found.logit += value;
        found.parts.push_back({engine::AttributionPart::Kind::Mlp, layer, 0, value});
        found.mlps.push_back({{{layer, value}}, {}});
    }
    std::stable_sort(found.edges.begin(), found.edges.end(),
                     [](const auto& a, const auto& b) { return a.value > b.value; });
    return found;
}

stats::HeadScatter MadeUpAnalyses::scatter() const
{
    std::vector<std::vector<float>> weights;
    for (const HeadId head : m_request.heads)
        weights.push_back(stats::visibleWeights(m_mapOf(m_request.side, head).data(), tokens()));
    return stats::scatterOf(tokens(), m_request.heads, std::move(weights));
}

analyses::Comparison MadeUpAnalyses::comparison() const
{
    const service::SideRequest& other = m_request.other.value();
    const engine::RunResult second = m_runOf(other);
    analyses::Comparison found{stats::summarize(m_run.stats), stats::summarize(second.stats), {}};
    if (m_run.tokens != second.tokens || !m_shape.hasSameHeads(second.heads))
        return found;
    for (int index = 0; index < m_shape.total(); ++index) {
        const HeadId head = m_shape.at(index);
        found.pairs.push_back({head, m_run.statsOf(head), second.statsOf(head),
                               stats::patternDistance(m_mapOf(m_request.side, head).data(),
                                                      m_mapOf(other, head).data(), tokens())});
    }
    std::ranges::stable_sort(found.pairs, std::ranges::greater(),
                             [](const analyses::HeadPair& pair) { return pair.distance.totalVariation; });
    return found;
}

/// One head of each layer carries the edge, less in each; the source's index decides which.
features::EdgeHeads MadeUpAnalyses::edgeHeads() const
{
    features::EdgeHeads found;
    found.shape = m_shape;
    found.loads.assign(static_cast<std::size_t>(m_shape.total()), 0);
    found.direct = found.loads;
    const features::NodeId& source = m_request.graph.sources.front();
    const features::NodeId& target = m_request.graph.targets.front();
    for (int layer = 0; layer < m_shape.layers; ++layer) {
        const HeadId head{layer, static_cast<int>(source.index) % m_shape.heads};
        const double load = effectOf(layer);
        found.loads[static_cast<std::size_t>(m_shape.indexOf(head))] = load;
        found.cells.push_back({head, {target.position, source.position}, load});
        found.edge += load;
        found.cuts.push_back({load, 0, 0, 0});
    }
    return found;
}

stats::TokenFlow MadeUpAnalyses::flow() const
{
    stats::TokenFlowBuilder builder(m_shape.layers, tokens(), m_request.threshold);
    for (int index = 0; index < m_shape.total(); ++index)
        builder.add(m_shape.at(index), m_mapOf(m_request.side, m_shape.at(index)).data());
    stats::TokenFlow found = builder.finish();
    if (m_request.hasRollout)  // every token holds itself half and the first one half
        for (int query = 0; query < tokens(); ++query)
            for (int key = 0; key < tokens(); ++key)
                found.rollout.push_back((key == 0 ? 0.5 : 0) + (key == query ? 0.5 : 0));
    return found;
}

/// Each head's peak rises step by step, and at one step of its own by half of all.
analyses::History MadeUpAnalyses::history(bool isPartial) const
{
    const auto& revisions = m_request.side.model->revisions;
    analyses::History found;
    found.heads = m_shape;
    found.asked = static_cast<int>(revisions.size());
    const int known = isPartial ? found.asked / 2 : found.asked;
    for (int step = 0; step < known; ++step) {
        analyses::HistoryPoint point{
            revisions[static_cast<std::size_t>(step)].step, 3.0 - 0.1 * step, 0.5, {}};
        for (int index = 0; index < m_shape.total(); ++index) {
            stats::HeadStats head;
            head.peak = 0.01 * step + (step > index % found.asked ? 0.5 / (1 + index) : 0);
            point.stats.push_back(head);
        }
        found.points.push_back(std::move(point));
    }
    return found;
}

/// After more layers tokens are surer, and the target rises: token 2 + position at every depth.
service::PromptLens MadeUpAnalyses::lens() const
{
    service::PromptLens found{m_request.side.target.empty() ? 7 : 9, {}};
    const int steps = m_request.lens.withHalves ? 2 * m_shape.layers : m_shape.layers;
    for (int step = 0; step <= steps; ++step) {
        engine::LensLayer layer{static_cast<double>(step) * m_shape.layers / steps, {}};
        for (int position = 0; position < tokens(); ++position) {
            const double share = (1.0 + step) / (2.0 + steps);
            engine::LensReading reading{position, {}, {{1 + (steps - step) * 100, share / 2}}};
            for (int place = 0; place < 5; ++place)
                reading.top.push_back({2 + position + place, share / (1 << place), 5.0 - place});
            layer.positions.push_back(std::move(reading));
        }
        found.layers.push_back(std::move(layer));
    }
    return found;
}

/// The first token is for it, the second against it, and so on, less each time.
engine::Saliency MadeUpAnalyses::saliency() const
{
    engine::Saliency found;
    found.position = tokens() - 1;
    found.logit = 3;
    for (int position = 0; position < tokens(); ++position) {
        found.gradientTimesInput.push_back((position % 2 == 0 ? 2.0 : -2.0) / (1 + position));
        found.integrated.push_back(found.gradientTimesInput.back() / m_request.lens.steps);
    }
    return found;
}

service::HeadWords MadeUpAnalyses::headWords() const
{
    service::HeadWords found;
    const int query = std::min(m_request.side.position.value_or(tokens() - 1), tokens() - 1);
    found.key = m_request.lens.key.value_or(0);
    found.onPrompt = {m_request.heads.at(0), query, m_request.lens.key, {}, {{{5, 1.5}}, {{6, -1.25}}}};
    const std::vector<float> map = m_mapOf(m_request.side, found.onPrompt.head);
    for (int key = 0; key < tokens(); ++key)
        found.onPrompt.weights.push_back(map[static_cast<std::size_t>(query * tokens() + key)]);
    found.queryToken = m_run.tokens[static_cast<std::size_t>(query)];
    found.keyToken = m_run.tokens[static_cast<std::size_t>(found.key)];
    found.written = {{{8, 0.75}}, {{9, -0.5}}};
    found.sought = {{{10, 3.5}}, {{11, -2.5}}};
    found.copying = 0.625;
    return found;
}

}  // namespace hs::test
