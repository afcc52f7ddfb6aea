#include "features/graph/pruning_tensors.h"

#include <algorithm>
#include <numeric>

namespace hs::features {
namespace {

using Kind = GraphNode::Kind;

/// Indices of the values, largest first.
std::vector<std::size_t> descending(const std::vector<double>& values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
    return order;
}

class Pruner {
public:
    Pruner(const FullGraph& full, const GraphOptions& options)
        : m_full(full), m_options(options), m_columns(full.rows.size(1)), m_rowCount(full.targets.size()),
          m_keptColumns(full.sources.size(), true), m_rowOf(full.sources.size(), -1)
    {
        for (std::size_t row = 0; row < m_rowCount; ++row)
            if (full.targets[row].column >= 0)
                m_rowOf[static_cast<std::size_t>(full.targets[row].column)] = static_cast<int>(row);
    }

    Graph prune()
    {
        score();
        keepNodes();
        keepEdges();
        dropLooseEnds();
        collect();
        return std::move(m_graph);
    }

private:
    bool alwaysStays(std::size_t column) const
    {
        const Kind kind = m_full.sources[column].kind;
        return kind == Kind::Token || kind == Kind::Position;
    }

    /// How much a row's target matters: its influence and, for a logit, its weight. [row]
    std::vector<double> importance(const at::Tensor& influence) const
    {
        std::vector<double> values;
        const double* const data = influence.data_ptr<double>();
        for (const RowTarget& target : m_full.targets)
            values.push_back(target.weight + (target.column < 0 ? 0 : data[target.column]));
        return values;
    }

    void score()
    {
        const at::Tensor shares = sharesOf(m_full.rows);
        const at::Tensor influence = influenceOf(shares, m_full.targets);
        m_influence.assign(influence.data_ptr<double>(), influence.data_ptr<double>() + m_columns);
        double inputs = 0;
        double errors = 0;
        std::vector<std::int64_t> errorColumns;
        for (std::size_t column = 0; column < m_influence.size(); ++column) {
            if (alwaysStays(column))
                inputs += m_influence[column];
            if (m_full.sources[column].kind == Kind::Error) {
                errors += m_influence[column];
                errorColumns.push_back(static_cast<std::int64_t>(column));
            }
        }
        m_graph.replacement = inputs + errors > 0 ? inputs / (inputs + errors) : 1;
        const at::Tensor fromErrors =
            shares.index_select(1, at::tensor(errorColumns)).sum(1, false, at::kDouble).contiguous();
        const at::Tensor sizes = m_full.rows.abs().sum(1, false, at::kDouble).contiguous();
        const std::vector<double> matters = importance(influence);
        double all = 0;
        double explained = 0;
        double constants = 0;
        for (std::size_t row = 0; row < m_rowCount; ++row) {
            const double constant = std::abs(m_full.constants[row]);
            all += matters[row];
            explained += matters[row] * (1 - fromErrors.data_ptr<double>()[row]);
            constants += matters[row] * constant / std::max(constant + sizes.data_ptr<double>()[row], 1e-10);
        }
        m_graph.completeness = all > 0 ? explained / all : 1;
        m_graph.constants = all > 0 ? constants / all : 0;
        // The constant is a node, too.
        m_graph.allNodes = static_cast<int>(m_full.sources.size() + m_full.logits.size()) + 1;
        m_graph.allEdges = m_full.rows.count_nonzero().item<std::int64_t>();
    }

    void keepNodes()
    {
        const double all = std::accumulate(m_influence.begin(), m_influence.end(), 0.0);
        double sum = 0;
        m_rank.assign(m_influence.size(), 1);
        for (const std::size_t column : descending(m_influence)) {
            m_keptColumns[column] = alwaysStays(column) || sum < m_options.nodeShare * all;
            sum += m_influence[column];
            m_rank[column] = all > 0 ? sum / all : 1;
        }
    }

    bool isKept(std::size_t row) const
    {
        const std::int64_t column = m_full.targets[row].column;
        return column < 0 || m_keptColumns[static_cast<std::size_t>(column)];
    }

    void keepEdges()
    {
        at::Tensor mask = at::empty({m_columns}, at::kFloat);
        for (std::int64_t column = 0; column < m_columns; ++column)
            mask.data_ptr<float>()[column] = m_keptColumns[static_cast<std::size_t>(column)] ? 1.0F : 0.0F;
        at::Tensor rows = m_full.rows * mask;
        for (std::size_t row = 0; row < m_rowCount; ++row)
            if (!isKept(row))
                rows[static_cast<std::int64_t>(row)].zero_();
        const at::Tensor shares = sharesOf(rows).contiguous();
        const std::vector<double> matters = importance(influenceOf(shares, m_full.targets));
        std::vector<GraphEdge> edges;  // rows and columns
        std::vector<double> scores;
        const float* const share = shares.data_ptr<float>();
        const float* const weight = m_full.rows.data_ptr<float>();
        for (std::size_t row = 0; row < m_rowCount; ++row)
            for (std::int64_t column = 0; column < m_columns; ++column)
                if (const auto at = static_cast<std::int64_t>(row) * m_columns + column; share[at] > 0) {
                    edges.push_back({static_cast<int>(row), static_cast<int>(column), weight[at]});
                    scores.push_back(share[at] * matters[row]);
                }
        const double all = std::accumulate(scores.begin(), scores.end(), 0.0);
        double sum = 0;
        for (const std::size_t at : descending(scores)) {
            if (sum >= m_options.edgeShare * all)
                break;
            m_edges.push_back(edges[at]);
            sum += scores[at];
        }
    }

    /// Drops features and errors that lead nowhere and features that nothing leads to, until there are none.
    void dropLooseEnds()
    {
        for (bool isSettled = false; !isSettled;) {
            std::vector<bool> leads(m_keptColumns.size(), false);
            std::vector<bool> isLedTo(m_keptColumns.size(), false);
            for (const GraphEdge& edge : m_edges) {
                leads[static_cast<std::size_t>(edge.source)] = true;
                if (const std::int64_t column = m_full.targets[static_cast<std::size_t>(edge.target)].column;
                    column >= 0)
                    isLedTo[static_cast<std::size_t>(column)] = true;
            }
            isSettled = true;
            for (std::size_t column = 0; column < m_keptColumns.size(); ++column) {
                const bool isLoose =
                    !leads[column] || (m_full.sources[column].kind == Kind::Feature && !isLedTo[column]);
                if (m_keptColumns[column] && !alwaysStays(column) && isLoose) {
                    m_keptColumns[column] = false;
                    isSettled = false;
                }
            }
            std::erase_if(m_edges, [&](const GraphEdge& edge) {
                return !m_keptColumns[static_cast<std::size_t>(edge.source)] ||
                       !isKept(static_cast<std::size_t>(edge.target));
            });
        }
    }

    void collect()
    {
        std::vector<int> nodeOfColumn(m_full.sources.size(), -1);
        std::vector<int> nodeOfRow(m_rowCount, -1);
        const auto add = [&](GraphNode node, double rest) {
            m_graph.nodes.push_back(node);
            m_graph.rests.push_back(rest);
            return static_cast<int>(m_graph.nodes.size()) - 1;
        };
        const auto leftOut = [&](std::size_t row) {
            return m_full.rows[static_cast<std::int64_t>(row)].sum(at::kDouble).item<double>() +
                   m_full.rest[row];
        };
        for (std::size_t column = 0; column < m_keptColumns.size(); ++column) {
            if (!m_keptColumns[column])
                continue;
            GraphNode node = m_full.sources[column];
            node.influence = m_influence[column];
            node.rank = m_rank[column];
            const int row = m_rowOf[column];
            nodeOfColumn[column] = add(node, row < 0 ? 0 : leftOut(static_cast<std::size_t>(row)));
            if (row >= 0)
                nodeOfRow[static_cast<std::size_t>(row)] = nodeOfColumn[column];
        }
        const int constant = add({Kind::Constant}, 0);
        for (std::size_t row = 0; row < m_full.logits.size(); ++row)
            nodeOfRow[row] = add(m_full.logits[row], leftOut(row));
        for (const GraphEdge& edge : m_edges) {
            const int target = nodeOfRow[static_cast<std::size_t>(edge.target)];
            m_graph.edges.push_back(
                {target, nodeOfColumn[static_cast<std::size_t>(edge.source)], edge.weight});
            m_graph.rests[static_cast<std::size_t>(target)] -= edge.weight;
        }
        for (std::size_t row = 0; row < m_rowCount; ++row)
            if (nodeOfRow[row] >= 0 && m_full.constants[row] != 0)
                m_graph.edges.push_back({nodeOfRow[row], constant, m_full.constants[row]});
    }

    const FullGraph& m_full;
    const GraphOptions& m_options;
    std::int64_t m_columns;
    std::size_t m_rowCount;
    std::vector<bool> m_keptColumns;
    std::vector<int> m_rowOf;  // [column] -1: none
    std::vector<double> m_influence;
    std::vector<double> m_rank;
    std::vector<GraphEdge> m_edges;  // rows and columns
    Graph m_graph;
};

}  // namespace

Graph pruned(const FullGraph& full, const GraphOptions& options)
{
    return Pruner(full, options).prune();
}

}  // namespace hs::features
