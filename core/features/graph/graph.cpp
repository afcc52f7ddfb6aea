#include "features/graph/graph.h"

#include "base/system_memory.h"
#include "base/text_format.h"
#include "engine/device/device_tensors.h"
#include "engine/run/request_check.h"
#include "features/graph/pruning_tensors.h"
#include "features/graph/readings_tensors.h"
#include "features/graph/sources_tensors.h"

#include <algorithm>
#include <numeric>

namespace hs::features {
namespace {

using Kind = GraphNode::Kind;

/// Rows of the stream that one sweep carries back: enough for large products, little memory.
constexpr std::int64_t kRowsInSweep = 4096;
/// Sweeps after which the order of features is looked at again.
constexpr std::int64_t kSweepsInRound = 4;

class GraphMaker {
public:
    GraphMaker(const GraphRequest& request, const Hooks& hooks)
        : m_request(request), m_hooks(hooks), m_run(holdRun(request, at::kFloat, hooks)), m_sources(m_run),
          m_position(request.position < 0 ? static_cast<int>(m_run.length()) - 1 : request.position),
          m_batch(std::clamp<std::int64_t>(kRowsInSweep / m_run.length(), 8, 256))
    {
    }

    Graph make()
    {
        const std::int64_t most = std::min<std::int64_t>(m_request.options.features, m_sources.features());
        const std::vector<GraphNode> logits = chooseLogits();
        requireRoomFor(most + static_cast<std::int64_t>(logits.size()));
        addRows(logits);
        while (m_traced < most) {
            const std::vector<GraphNode> next =
                nextFeatures(std::min(most - m_traced, kSweepsInRound * m_batch));
            if (next.empty())
                break;
            addRows(next);
            m_traced += static_cast<std::int64_t>(next.size());
            m_hooks.report(static_cast<int>(m_traced), static_cast<int>(most));
        }
        Graph graph = pruned(full(logits), m_request.options);
        graph.tokens = m_run.tokens;
        graph.layers = m_run.spec().layers;
        graph.place = m_run.place;
        graph.fvu = m_run.fvu;
        graph.versus = m_request.versus;
        graph.meanLogit = m_logits.mean().item<double>();
        return graph;
    }

private:
    void requireRoomFor(std::int64_t targets) const
    {
        const std::optional<std::uint64_t> free = availableMemory();
        const auto needed = static_cast<std::uint64_t>(3 * targets * m_sources.count()) * sizeof(float);
        if (free && needed > *free)
            fail(ErrorCode::TooLarge,
                 "A graph of " + formatCount(targets) + " targets and " + formatCount(m_sources.count()) +
                     " sources takes " + formatBytes(needed) +
                     ", more than there is; ask for fewer features or shorten the prompt.");
    }

    /// The logits that are targets, with their weights. Their sum is what influence is measured on.
    std::vector<GraphNode> chooseLogits()
    {
        m_logits = m_run.logits[m_position].to(at::kDouble);
        at::Tensor capped = m_logits;
        if (const std::optional<double> cap = m_run.spec().logitCap)
            capped = at::tanh(m_logits / *cap) * *cap;
        const at::Tensor probabilities = at::softmax(capped, 0);
        const auto nodeOf = [&](std::int64_t token) {
            const double other = m_request.versus ? m_logits[*m_request.versus].item<double>() : 0;
            return GraphNode{Kind::Logit,
                             0,
                             m_position,
                             token,
                             m_logits[token].item<double>() - other,
                             probabilities[token].item<double>()};
        };
        if (m_request.target)
            return {nodeOf(*m_request.target)};
        const auto [top, tokens] = probabilities.topk(
            std::min<std::int64_t>(std::max(m_request.options.logits, 1), probabilities.numel()));
        std::vector<GraphNode> nodes;
        double sum = 0;
        for (std::int64_t rank = 0; rank < top.numel() && (rank == 0 || sum < m_request.options.logitShare);
             ++rank) {
            nodes.push_back(nodeOf(tokens[rank].item<std::int64_t>()));
            sum += nodes.back().probability;
        }
        return nodes;
    }

    /// Untraced features that matter most to what is known so far.
    std::vector<GraphNode> nextFeatures(std::int64_t count)
    {
        m_rows = {at::cat(m_rows)};
        const at::Tensor rows = m_rows.front().narrow(1, 0, m_sources.constantColumn());
        const at::Tensor influence = influenceOf(sharesOf(rows), m_targets);
        const double* const values = influence.data_ptr<double>();
        m_isTraced.resize(static_cast<std::size_t>(m_sources.features()), false);
        std::vector<std::int64_t> columns;
        for (std::int64_t column = 0; column < m_sources.features(); ++column)
            if (!m_isTraced[static_cast<std::size_t>(column)] && values[column] > 0)
                columns.push_back(column);
        const auto end = columns.begin() + std::min<std::ptrdiff_t>(count, std::ssize(columns));
        std::partial_sort(columns.begin(), end, columns.end(), [&](std::int64_t a, std::int64_t b) {
            return values[a] != values[b] ? values[a] > values[b] : a < b;
        });
        columns.erase(end, columns.end());
        // Those of early positions together: what comes after the last position of a sweep is not computed.
        std::sort(columns.begin(), columns.end());
        std::vector<GraphNode> nodes;
        for (const std::int64_t column : columns) {
            m_isTraced[static_cast<std::size_t>(column)] = true;
            m_columnOf.push_back(column);
            nodes.push_back(m_sources.nodes()[static_cast<std::size_t>(column)]);
        }
        return nodes;
    }

    void addRows(const std::vector<GraphNode>& targets)
    {
        const auto batch = static_cast<std::size_t>(m_batch);
        for (std::size_t begin = 0; begin < targets.size(); begin += batch) {
            m_hooks.throwIfCancelled();
            std::vector<NodeId> ids;
            for (std::size_t at = begin; at < std::min(begin + batch, targets.size()); ++at)
                ids.push_back(idOf(targets[at]));
            const TargetReadings readings = readingsOf(m_run, ids, m_request.versus);
            m_rows.push_back(m_sources.rowsOf(readings.readings).to(at::kCPU));
            for (const std::size_t at : readings.order)
                addTarget(targets[begin + at], begin + at);
        }
    }

    void addTarget(const GraphNode& target, std::size_t number)
    {
        if (target.kind == Kind::Feature) {
            m_targets.push_back({target.layer, m_columnOf[static_cast<std::size_t>(m_traced) + number], 0});
        } else {
            m_targets.push_back({m_run.spec().layers, -1, m_request.target ? 1 : target.probability});
        }
    }

    /// The graph over traced features alone; what others add is a rest of each row.
    FullGraph full(const std::vector<GraphNode>& logits) const
    {
        const at::Tensor rows = at::cat(m_rows);
        FullGraph graph;
        graph.logits = logits;
        std::vector<std::int64_t> columns;
        std::vector<std::int64_t> place(static_cast<std::size_t>(m_sources.count()), -1);
        for (std::int64_t column = 0; column < m_sources.constantColumn(); ++column) {
            if (column < m_sources.features() &&
                (m_isTraced.empty() || !m_isTraced[static_cast<std::size_t>(column)]))
                continue;
            place[static_cast<std::size_t>(column)] = static_cast<std::int64_t>(columns.size());
            columns.push_back(column);
            graph.sources.push_back(m_sources.nodes()[static_cast<std::size_t>(column)]);
        }
        graph.targets = m_targets;
        for (RowTarget& target : graph.targets)
            if (target.column >= 0)
                target.column = place[static_cast<std::size_t>(target.column)];
        graph.rows = rows.index_select(1, at::tensor(columns)).contiguous();
        const at::Tensor constants = rows.select(1, m_sources.constantColumn()).to(at::kDouble).contiguous();
        const at::Tensor rest =
            (rows.sum(1, false, at::kDouble) - constants - graph.rows.sum(1, false, at::kDouble))
                .contiguous();
        graph.constants.assign(constants.data_ptr<double>(),
                               constants.data_ptr<double>() + constants.numel());
        graph.rest.assign(rest.data_ptr<double>(), rest.data_ptr<double>() + rest.numel());
        return graph;
    }

    const GraphRequest& m_request;
    const Hooks& m_hooks;
    HeldRun m_run;
    Sources m_sources;
    int m_position;
    std::int64_t m_batch;                  // targets in a sweep
    at::Tensor m_logits;                   // [vocabulary] double
    std::vector<at::Tensor> m_rows;        // blocks of [target, source]
    std::vector<RowTarget> m_targets;      // [row]
    std::vector<bool> m_isTraced;          // [feature]
    std::vector<std::int64_t> m_columnOf;  // [traced feature]
    std::int64_t m_traced = 0;
};

void checkOptions(const GraphOptions& options)
{
    const auto isShare = [](double value) { return value >= 0 && value <= 1; };
    if (options.logits < 1 || options.features < 0 || !isShare(options.logitShare) ||
        !isShare(options.nodeShare) || !isShare(options.edgeShare))
        fail(ErrorCode::BadRequest,
             "Shares are from 0 to 1, and a graph needs at least one logit; correct them.");
}

}  // namespace

Result<Graph> makeGraph(const GraphRequest& request, const Hooks& hooks)
{
    return guarded([&] {
        GraphRequest checked = request;
        for (const std::optional<std::int64_t>& token : {request.target, request.versus})
            if (token)
                checked.run.capture.watched.push_back(*token);
        engine::checkRequest(checked.run);
        if (request.position >= 0)
            engine::checkPosition(request.run, request.position);
        if (request.versus && !request.target)
            fail(ErrorCode::BadRequest, "There is a token to compare with, but no target; name one.");
        if (request.target)
            engine::checkTargets(*request.target, request.versus);
        checkOptions(request.options);
        const engine::Tf32Scope precision(false);
        const c10::InferenceMode noGradients;
        return GraphMaker(checked, hooks).make();
    });
}

}  // namespace hs::features
