#include "features/graph/sources_tensors.h"

#include <algorithm>

namespace hs::features {
namespace {

using Kind = GraphNode::Kind;

}  // namespace

Sources::Sources(const HeldRun& run) : m_run(run)
{
    listFeatures();
    listOthers();
    for (int layer = 0; layer < run.spec().layers; ++layer)
        m_writes.push_back(writesInto(layer));
}

void Sources::listFeatures()
{
    std::vector<std::vector<GraphNode>> byPosition(static_cast<std::size_t>(m_run.length()));
    for (int layer = 0; layer < m_run.spec().layers; ++layer) {
        const at::Tensor& activations = m_run.activations[static_cast<std::size_t>(layer)];
        const at::Tensor places = activations.nonzero();  // [place, 2], by position and feature
        const at::Tensor values = activations.index({places.select(1, 0), places.select(1, 1)}).contiguous();
        const auto place = places.accessor<std::int64_t, 2>();
        const float* const value = values.data_ptr<float>();
        for (std::int64_t at = 0; at < places.size(0); ++at)
            byPosition[static_cast<std::size_t>(place[at][0])].push_back(
                {Kind::Feature, layer, static_cast<int>(place[at][0]), place[at][1], value[at]});
    }
    for (const std::vector<GraphNode>& here : byPosition) {
        std::vector<std::int64_t>& first = m_first.emplace_back();
        auto next = here.begin();
        for (int layer = 0; layer <= m_run.spec().layers; ++layer) {
            next = std::find_if(next, here.end(), [&](const GraphNode& node) { return node.layer >= layer; });
            first.push_back(count() + (next - here.begin()));
        }
        m_nodes.insert(m_nodes.end(), here.begin(), here.end());
    }
    m_features = count();
}

void Sources::listOthers()
{
    const int length = static_cast<int>(m_run.length());
    m_errors = count();
    for (int layer = 0; layer < m_run.spec().layers; ++layer)
        for (int position = 0; position < length; ++position)
            m_nodes.push_back({Kind::Error, layer, position});
    m_tokens = count();
    for (int position = 0; position < length; ++position)
        m_nodes.push_back({Kind::Token, 0, position, m_run.tokens[static_cast<std::size_t>(position)]});
    if (m_run.positions.defined())
        for (int position = 0; position < length; ++position)
            m_nodes.push_back({Kind::Position, 0, position});
    m_nodes.push_back({Kind::Constant});
}

Sources::Writes Sources::writesInto(int target) const
{
    const bool crossesLayers = m_run.coders->facts().crossesLayers;
    Writes writes;
    std::vector<at::Tensor> rows;  // of one layer's features each
    std::vector<float> scales;
    std::vector<std::int64_t> order;  // rows of the joined `rows`
    std::vector<std::vector<std::int64_t>> features(static_cast<std::size_t>(target) + 1);
    const std::size_t firstLayer = crossesLayers ? 0 : static_cast<std::size_t>(target);
    std::int64_t joined = 0;
    std::vector<std::int64_t> begin(static_cast<std::size_t>(target) + 1);
    for (std::size_t layer = firstLayer; layer <= static_cast<std::size_t>(target); ++layer) {
        std::vector<std::int64_t>& used = features[layer];
        for (const std::vector<std::int64_t>& first : m_first)
            for (std::int64_t column = first[layer]; column < first[layer + 1]; ++column)
                used.push_back(m_nodes[static_cast<std::size_t>(column)].index);
        std::sort(used.begin(), used.end());
        used.erase(std::unique(used.begin(), used.end()), used.end());
        begin[layer] = joined;
        joined += static_cast<std::int64_t>(used.size());
        if (!used.empty())
            rows.push_back(m_run.coders->weights().decoders->rows(static_cast<int>(layer), target, used));
    }
    for (std::size_t position = 0; position < m_first.size(); ++position) {
        const std::int64_t first = m_first[position][firstLayer];
        const std::int64_t end = m_first[position][static_cast<std::size_t>(target) + 1];
        if (first == end)
            continue;
        writes.blocks.push_back({static_cast<std::int64_t>(position), static_cast<std::int64_t>(order.size()),
                                 first, end - first});
        for (std::int64_t column = first; column < end; ++column) {
            const GraphNode& node = m_nodes[static_cast<std::size_t>(column)];
            const std::vector<std::int64_t>& used = features[static_cast<std::size_t>(node.layer)];
            order.push_back(begin[static_cast<std::size_t>(node.layer)] +
                            (std::lower_bound(used.begin(), used.end(), node.index) - used.begin()));
            scales.push_back(static_cast<float>(node.activation));
        }
    }
    if (order.empty())
        return writes;
    const auto count = static_cast<std::int64_t>(order.size());
    const at::Tensor indices = at::from_blob(order.data(), {count}, at::kLong);
    const at::Tensor factors = at::from_blob(scales.data(), {count, 1}, at::kFloat);
    writes.rows = m_run.here(at::cat(rows).index_select(0, indices)) * m_run.here(factors);
    return writes;
}

/// Contracts cotangents with what enters the stream there.
class RowMaker : public CotangentVisitor {
public:
    RowMaker(const Sources& sources, const Readings& readings)
        : m_sources(sources), m_run(sources.m_run),
          m_rows(at::zeros({readings.size(), sources.count()}, readings.directions.options()))
    {
        m_rows.select(1, sources.constantColumn()).copy_(readings.constants);
    }

    at::Tensor rows() const { return m_rows; }

    void atOutput(int layer, const at::Tensor& g) override
    {
        const HeldLayer& held = m_run.layers[static_cast<std::size_t>(layer)];
        const Sources::Writes& writes = m_sources.m_writes[static_cast<std::size_t>(layer)];
        for (const Sources::Writes::Block& block : writes.blocks)
            if (block.position < g.size(1))
                columns(g, block.firstColumn, block.count)
                    .addmm_(g.select(1, block.position),
                            writes.rows.narrow(0, block.firstRow, block.count).t());
        columns(g, m_sources.m_errors + layer * m_run.length(), g.size(1))
            .copy_((g * held.error.narrow(0, 0, g.size(1))).sum(-1));
        addConstant(g, at::matmul(g.sum(1), held.outputConstant));
    }

    void afterAttention(int layer, const at::Tensor& g) override
    {
        const at::Tensor constant =
            m_run.layers[static_cast<std::size_t>(layer)].attentionConstant.narrow(0, 0, g.size(1));
        addConstant(g, at::mv(g.flatten(1), constant.flatten()));
    }

    void entering(int layer, const at::Tensor& g) override
    {
        if (layer > 0)
            return;
        const auto put = [&](const at::Tensor& embedding, std::int64_t first) {
            columns(g, first, g.size(1)).copy_((g * embedding.narrow(0, 0, g.size(1))).sum(-1));
        };
        put(m_run.embedding, m_sources.m_tokens);
        if (m_run.positions.defined())
            put(m_run.positions, m_sources.m_tokens + m_run.length());
    }

private:
    at::Tensor columns(const at::Tensor& g, std::int64_t first, std::int64_t count) const
    {
        return m_rows.narrow(0, 0, g.size(0)).narrow(1, first, count);
    }

    void addConstant(const at::Tensor& g, const at::Tensor& values)
    {
        columns(g, m_sources.constantColumn(), 1).select(1, 0).add_(values);
    }

    const Sources& m_sources;
    const HeldRun& m_run;
    at::Tensor m_rows;  // [reading, column]
};

at::Tensor Sources::rowsOf(const Readings& readings) const
{
    RowMaker maker(*this, readings);
    sweepBack(m_run, readings, Paths::All, maker);
    return maker.rows();
}

}  // namespace hs::features
