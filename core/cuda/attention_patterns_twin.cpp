#include "cuda/attention_patterns.h"
#include "cuda/cpu_exponential.h"
#include "cuda/cpu_panels.h"
#include "stats/head_summary.h"
#include "stats/span_fold.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace hs::cuda {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Queries whose scores are held at once: enough to reuse each panel of keys while it is in cache.
constexpr int kQueries = 4 * CpuPanels::kRows;

/// Pools weights by maximum, the queries of one row of the tile at a time.
class TileRows {
public:
    TileRows(const PatternProblem& problem, std::uint8_t* tile)
        : m_length(problem.length), m_side(problem.tileSide), m_tile(tile),
          m_most(std::size_t(CpuPanels::roundedUp(problem.length)))
    {
        std::fill_n(tile, std::size_t(m_side) * m_side, std::uint8_t{0});
    }

    /// The largest weight of each key in this row of the tile: what each query has to raise. [key]
    float* most() { return m_most.data(); }

    /// To be called after each query, in order.
    void finish(int query)
    {
        const int row = rowOf(query);
        if (query + 1 < m_length && rowOf(query + 1) == row)
            return;
        for (int cell = 0; cell < m_side && firstKey(cell) <= query; ++cell) {
            const float* const keys = m_most.data();
            const float peak = *std::max_element(keys + firstKey(cell), keys + firstKey(cell + 1));
            m_tile[std::size_t(row) * m_side + cell] =
                static_cast<std::uint8_t>(std::lround(std::min(peak, 1.0f) * 255));
        }
        std::ranges::fill(m_most, 0.0f);
    }

private:
    int rowOf(int query) const { return static_cast<int>((std::int64_t(query + 1) * m_side - 1) / m_length); }
    int firstKey(int cell) const { return static_cast<int>(std::int64_t(cell) * m_length / m_side); }

    int m_length;
    int m_side;
    std::uint8_t* m_tile;  // [row, column]
    std::vector<float> m_most;
};

/// The keys of one row: its query sees those from `first` to itself; [begin, end) are whole panels.
struct RowKeys {
    int first = 0;
    int query = 0;
    int begin = 0;
    int end = 0;
};

/// What is kept of a pattern that is folded to spans.
class FoldedRows {
public:
    FoldedRows(const PatternProblem& problem, std::uint8_t* tile)
        : m_problem(problem), m_summary(*problem.folded, tile), m_fold(*problem.folded->fold)
    {
    }

    /// `open`: which keys gate and edits leave open; null: all. [key]
    void take(const float* weights, const std::uint8_t* open, const RowKeys& keys)
    {
        const float* const row = m_fold.add(weights, open, keys.first, keys.query + 1);
        m_seesOpen = open != nullptr;
        if (row)
            m_summary.addRow(m_span++, row);
    }

    const stats::PatternSums& sums()
    {
        return m_summary.sums(m_seesOpen ? m_fold.activeCells()
                                         : m_problem.folded->visibleCells(m_problem.window));
    }

private:
    const PatternProblem& m_problem;
    stats::HeadSummarizer m_summary;
    stats::SpanFold m_fold;
    bool m_seesOpen = false;
    int m_span = 0;
};

/// The edits of a head.
std::span<const PatternEdit> editsOf(const PatternProblem& problem, int head)
{
    if (!problem.edits)
        return {};
    return {problem.edits + problem.firstEdits[head], problem.edits + problem.firstEdits[head + 1]};
}

/// Makes a head's edits in one row after the other.
class RowEdits {
public:
    explicit RowEdits(std::span<const PatternEdit> edits) : m_edits(edits) {}

    bool isEmpty() const { return m_edits.empty(); }
    bool changes(int query) const
    {
        return std::ranges::any_of(m_edits, [query](const PatternEdit& edit) { return isIn(edit, query); });
    }

    /// In place. weights, open: [key]
    void make(float* weights, std::uint8_t* open, const RowKeys& keys) const
    {
        for (const PatternEdit& edit : m_edits) {
            const int begin = std::max(edit.key, keys.first);
            const int end = std::min(edit.keyEnd, keys.query + 1);
            if (!isIn(edit, keys.query) || begin >= end)
                continue;
            const double before = edit.renormalises ? sumOf(weights, keys) : 0;
            std::for_each(weights + begin, weights + end, [&](float& weight) { weight *= edit.factor; });
            if (edit.factor == 0)
                std::fill(open + begin, open + end, std::uint8_t{0});
            const double left = edit.renormalises ? sumOf(weights, keys) : 0;
            if (left > 0)
                std::for_each(weights + keys.first, weights + keys.query + 1,
                              [&](float& weight) { weight = static_cast<float>(weight * (before / left)); });
        }
    }

private:
    static bool isIn(const PatternEdit& edit, int query)
    {
        return query >= edit.query && query < edit.queryEnd;
    }
    static double sumOf(const float* weights, const RowKeys& keys)
    {
        return std::accumulate(weights + keys.first, weights + keys.query + 1, 0.0);
    }

    std::span<const PatternEdit> m_edits;
};

/// Turns scores into weights, row by row, and sums them up.
class PatternRows {
public:
    PatternRows(const PatternProblem& problem, int head, std::uint8_t* tile)
        : m_problem(problem), m_tile(problem, tile),
          m_repeats(std::vector<std::int64_t>(problem.tokens, problem.tokens + problem.length)),
          m_edits(editsOf(problem, head))
    {
        if (problem.folded)
            m_folded.emplace(problem, tile);
        if (!m_edits.isEmpty() || (problem.folded && problem.isGated))
            m_open.resize(std::size_t(problem.length));
    }

    /// In place; keys that are not seen get no weight. To be called for all queries, in order.
    void take(float* row, const RowKeys& keys)
    {
        std::fill(row + keys.begin, row + keys.first, -kInfinity);
        std::fill(row + keys.query + 1, row + keys.end, -kInfinity);
        if (!m_open.empty())
            for (int key = keys.first; key <= keys.query; ++key)
                m_open[std::size_t(key)] = row[key] > edge() ? 1 : 0;
        stats::PatternSums unedited;
        const bool isEdited = m_edits.changes(keys.query);
        const float share = takePowers(row, keys, isEdited ? unedited : m_sums);
        if (isEdited)
            edit(row, keys, share);
        else
            normalize(row, keys, share);
        if (m_folded) {
            m_folded->take(row, m_open.empty() ? nullptr : m_open.data(), keys);
            return;
        }
        addPlaces(row, keys);
        m_tile.finish(keys.query);
    }

    const stats::PatternSums& sums() { return m_folded ? m_folded->sums() : m_sums; }

private:
    /// The score above which the gate leaves a cell open.
    float edge() const { return m_problem.isGated ? -m_problem.bias : -kInfinity; }

    /// Turns scores into exponentials and gates them. Returns the inverse of their sum before the gate.
    float takePowers(float* row, const RowKeys& keys, stats::PatternSums& sums) const
    {
        float most = -kInfinity;
#pragma omp simd reduction(max : most)
        for (int key = keys.begin; key < keys.end; ++key)
            most = row[key] > most ? row[key] : most;

        const float edge = this->edge();
        float total = 0, kept = 0, keptDepth = 0, keptDistance = 0;
        int open = 0;
#pragma omp simd reduction(+ : total, kept, keptDepth, keptDistance, open)
        for (int key = keys.begin; key < keys.end; ++key) {
            const float depth = most - row[key];
            const bool isLost = depth > kExponentialLimit;  // also where the key is not seen
            const float near = isLost ? kExponentialLimit : depth;
            const bool isOpen = row[key] > edge;
            const float power = isLost ? 0 : boundedExponential(-near);
            const float rest = isOpen ? power : 0;
            total += power;
            kept += rest;
            keptDepth += rest * near;
            keptDistance += rest * static_cast<float>(keys.query - key);
            open += isOpen ? 1 : 0;
            row[key] = rest;
        }

        const double share = 1.0 / total;
        // -ln p is the depth below the largest score plus ln of the total: no cell needs a logarithm.
        const double entropy = (keptDepth + kept * std::log(double(total))) * share;
        sums.entropy += entropy;
        if (keys.query > 0)
            sums.entropyNormalized += entropy / std::log(keys.query + 1.0);
        sums.mass += kept * share;
        sums.distance += keptDistance * share;
        sums.open += open;
        return static_cast<float>(share);
    }

    void normalize(float* row, const RowKeys& keys, float share)
    {
        const float threshold = std::max(m_problem.threshold, 0.0f);
        float* const most = m_tile.most();
        float peak = 0;
        int above = 0, aboveHalf = 0;
#pragma omp simd reduction(max : peak) reduction(+ : above, aboveHalf)
        for (int key = keys.begin; key < keys.end; ++key) {
            const float weight = row[key] * share;
            row[key] = weight;
            most[key] = weight > most[key] ? weight : most[key];
            peak = weight > peak ? weight : peak;
            above += weight > threshold ? 1 : 0;
            aboveHalf += weight > 0.5f ? 1 : 0;
        }
        m_sums.peak += peak;
        m_sums.above += above;
        m_sums.aboveHalf += aboveHalf - (row[keys.query] > 0.5f ? 1 : 0);
    }

    /// The same where the row is edited: what was summed up on the way to its weights holds no longer.
    void edit(float* row, const RowKeys& keys, float share)
    {
        std::for_each(row + keys.begin, row + keys.end, [share](float& weight) { weight *= share; });
        m_edits.make(row, m_open.data(), keys);
        normalize(row, keys, 1);
        double entropy = 0, mass = 0, distance = 0;
        for (int key = keys.first; key <= keys.query; ++key) {
            const double weight = row[key];
            if (weight > 0)
                entropy -= weight * std::log(row[key]);
            mass += weight;
            distance += weight * (keys.query - key);
            m_sums.open += m_open[std::size_t(key)];
        }
        m_sums.entropy += entropy;
        if (keys.query > 0)
            m_sums.entropyNormalized += entropy / std::log(keys.query + 1.0);
        m_sums.mass += mass;
        m_sums.distance += distance;
    }

    void addPlaces(const float* row, const RowKeys& keys)
    {
        const auto at = [&](int key) { return key >= keys.first ? row[key] : 0; };
        m_sums.current += at(keys.query);
        if (keys.query > 0) {
            m_sums.previous += at(keys.query - 1);
            m_sums.first += at(0);
        }
        for (const int earlier : m_repeats.earlier(keys.query)) {
            m_sums.duplicate += at(earlier);
            m_sums.induction += at(earlier + 1);
        }
    }

    const PatternProblem& m_problem;
    TileRows m_tile;
    stats::RepeatedTokens m_repeats;
    RowEdits m_edits;
    std::vector<std::uint8_t> m_open;  // [key] which of a row's cells count as open; empty: nobody asks
    stats::PatternSums m_sums;
    std::optional<FoldedRows> m_folded;  // instead of the tile and the sums
};

/// The products on both sides of the weights, for a block of queries at a time.
class HeadPass {
public:
    HeadPass(const PatternProblem& problem, int head)
        : m_problem(problem), m_head(head), m_headStride(CpuPanels::roundedUp(problem.headDim)),
          m_rowStride(CpuPanels::roundedUp(problem.length)), m_keys(problem.headDim, problem.length),
          m_values(problem.length, problem.headDim), m_queries(kQueries * m_headStride),
          m_weights(kQueries * m_rowStride), m_outputs(kQueries * m_headStride)
    {
        const int kvHead = head / (problem.heads / problem.kvHeads);
        for (int position = 0; position < problem.length; ++position) {
            const float* const key = packed(position, problem.heads + kvHead);
            const float* const value = packed(position, problem.heads + problem.kvHeads + kvHead);
            for (int d = 0; d < problem.headDim; ++d) {
                m_keys.at(d, position) = key[d];
                m_values.at(position, d) = value[d];
            }
        }
    }

    void run(PatternRows& rows, float* z)
    {
        for (int first = 0; first < m_problem.length; first += kQueries) {
            const int count = std::min(kQueries, m_problem.length - first);
            const int begin = firstKey(first) / CpuPanels::kColumns * CpuPanels::kColumns;
            const int end = CpuPanels::roundedUp(first + count);
            score(first, count, begin, end);
            for (int index = 0; index < count; ++index)
                rows.take(m_weights.data() + index * m_rowStride,
                          {firstKey(first + index), first + index, begin, end});
            mix(first, count, begin, end, z);
        }
    }

private:
    const float* packed(int position, int slot) const
    {
        const int slots = m_problem.heads + 2 * m_problem.kvHeads;
        return static_cast<const float*>(m_problem.qkv) +
               (std::size_t(position) * slots + slot) * m_problem.headDim;
    }

    int firstKey(int query) const
    {
        return m_problem.window > 0 ? std::max(0, query - m_problem.window + 1) : 0;
    }

    /// Scaled and capped scores of some queries with the keys [begin, end).
    void score(int first, int count, int begin, int end)
    {
        for (int index = 0; index < count; ++index) {
            const float* const query = packed(first + index, m_head);
            for (int d = 0; d < m_problem.headDim; ++d)
                m_queries[index * m_headStride + d] = query[d] * m_problem.scale;
        }
        for (int key = begin; key < end; key += CpuPanels::kColumns)
            for (int index = 0; index < count; index += CpuPanels::kRows)
                m_keys.multiply(m_queries.data() + index * m_headStride, m_headStride, 0, m_problem.headDim,
                                key, m_weights.data() + index * m_rowStride + key, m_rowStride);
        if (m_problem.cap > 0)
            for (int index = 0; index < count; ++index)
                for (float* cell = m_weights.data() + index * m_rowStride + begin;
                     cell != m_weights.data() + index * m_rowStride + end; ++cell)
                    *cell = m_problem.cap * std::tanh(*cell / m_problem.cap);
    }

    /// Outputs of those queries: values mixed by weight.
    void mix(int first, int count, int begin, int end, float* z)
    {
        for (int d = 0; d < m_problem.headDim; d += CpuPanels::kColumns)
            for (int index = 0; index < count; index += CpuPanels::kRows)
                m_values.multiply(m_weights.data() + index * m_rowStride + begin, m_rowStride, begin,
                                  end - begin, d, m_outputs.data() + index * m_headStride + d, m_headStride);
        for (int index = 0; index < count; ++index)
            std::copy_n(m_outputs.data() + index * m_headStride, m_problem.headDim,
                        z + (std::size_t(first + index) * m_problem.heads + m_head) * m_problem.headDim);
    }

    const PatternProblem& m_problem;
    int m_head;
    std::size_t m_headStride;
    std::size_t m_rowStride;
    CpuPanels m_keys;              // [head size, key]
    CpuPanels m_values;            // [key, head size]
    std::vector<float> m_queries;  // [query of the block, head size], scaled
    std::vector<float> m_weights;  // [query of the block, key]; scores at first
    std::vector<float> m_outputs;  // [query of the block, head size]
};

}  // namespace

void attentionPatternsTwin(const PatternProblem& problem, const PatternResult& result, int head)
{
    PatternRows rows(problem, head, result.tiles + std::size_t(head) * problem.tileSide * problem.tileSide);
    HeadPass(problem, head).run(rows, static_cast<float*>(result.z));
    result.sums[head] = rows.sums();
}

}  // namespace hs::cuda
