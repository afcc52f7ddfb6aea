#include "cuda/attention_training.h"
#include "cuda/gate_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace hs::cuda {
namespace {

/// Rows of numbers, one per position.
struct Matrix {
    int width = 0;
    std::vector<float> numbers;

    Matrix(int rows, int columns)
        : width(columns), numbers(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns))
    {
    }
    float* operator[](int row) { return numbers.data() + std::size_t(row) * std::size_t(width); }
    const float* operator[](int row) const { return numbers.data() + std::size_t(row) * std::size_t(width); }
};

/// Eight sums side by side: a compiler may not reorder one sum into a vector.
float dot(const float* a, const float* b, int count)
{
    constexpr int kLanes = 8;
    float sums[kLanes] = {};
    int i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (int lane = 0; lane < kLanes; ++lane)
            sums[lane] += a[i + lane] * b[i + lane];
    float sum = 0;
    for (; i < count; ++i)
        sum += a[i] * b[i];
    for (const float part : sums)
        sum += part;
    return sum;
}

void add(float* sum, float factor, const float* x, int count)
{
    for (int i = 0; i < count; ++i)
        sum[i] += factor * x[i];
}

float sigmoid(float x)
{
    return 1 / (1 + std::exp(-x));
}

/// One prompt's rows inside the packed tensors.
class Prompt {
public:
    Prompt(const AttentionProblem& problem, int index)
        : m_problem(problem), m_index(index), m_length(std::clamp(problem.lengths[index], 0, problem.length))
    {
    }

    int length() const { return m_length; }

    /// Which of the packed projections: queries come first, then keys, then values.
    int keySlot(int kvHead) const { return m_problem.heads + kvHead; }
    int valueSlot(int kvHead) const { return m_problem.heads + m_problem.kvHeads + kvHead; }

    std::size_t packedAt(int row, int slot) const
    {
        return at(row, slot, m_problem.heads + 2 * m_problem.kvHeads);
    }
    std::size_t headAt(int row, int head) const { return at(row, head, m_problem.heads); }
    std::size_t statAt(int head, int row) const
    {
        return (std::size_t(m_index) * std::size_t(m_problem.heads) + std::size_t(head)) *
                   std::size_t(m_problem.length) +
               std::size_t(row);
    }
    std::size_t sumAt(int head) const
    {
        return std::size_t(m_index) * std::size_t(m_problem.heads) + std::size_t(head);
    }

    /// A projection, turned if it is one of queries or keys. [query, head size]
    Matrix read(int slot) const
    {
        const auto* const qkv = static_cast<const float*>(m_problem.qkv);
        Matrix matrix(m_length, m_problem.headDim);
        for (int row = 0; row < m_length; ++row) {
            const float* const source = qkv + packedAt(row, slot);
            std::copy(source, source + m_problem.headDim, matrix[row]);
            if (slot < m_problem.heads + m_problem.kvHeads)
                turn(matrix[row], row, 1);
        }
        return matrix;
    }

    /// Rotation by the angles of a position; direction -1 turns back.
    void turn(float* x, int row, float direction) const
    {
        const int pairs = m_problem.rotatedPairs;
        for (int d = 0; d < pairs; ++d) {
            const std::size_t angle = std::size_t(row) * std::size_t(pairs) + std::size_t(d);
            const float cos = m_problem.cos[angle];
            const float sin = direction * m_problem.sin[angle];
            const float first = x[d];
            const float second = x[d + pairs];
            x[d] = first * cos - second * sin;
            x[d + pairs] = second * cos + first * sin;
        }
    }

    int firstKey(int query) const
    {
        return m_problem.window > 0 ? std::max(0, query - m_problem.window + 1) : 0;
    }

private:
    std::size_t at(int row, int slot, int slots) const
    {
        const std::size_t rows = std::size_t(m_index) * std::size_t(m_problem.length) + std::size_t(row);
        return (rows * std::size_t(slots) + std::size_t(slot)) * std::size_t(m_problem.headDim);
    }

    const AttentionProblem& m_problem;
    int m_index;
    int m_length;
};

/// The gate in one cell.
struct Gate {
    bool isOpen = true;
    float chance = 0;  // of being open
    float soft = 0;    // what the straight-through gradient goes through
};

class GateRow {
public:
    GateRow(const AttentionProblem& problem, int prompt, int head, int query)
        : m_kind(problem.gate), m_bias(m_kind == GateKind::None ? 0 : *problem.bias)
    {
        if (m_kind == GateKind::Sampled)
            m_noise = noiseOfRow(problem.noise, problem.layer, prompt, head, query);
    }

    Gate at(float score, int key) const
    {
        if (m_kind == GateKind::None)
            return {};
        const float raised = score + m_bias;
        float shaken = raised;
        if (m_kind == GateKind::Sampled) {
            const float u = noiseOfCell(m_noise, key);
            shaken += std::log(u / (1 - u));
        }
        return {shaken > 0, sigmoid(raised), sigmoid(shaken)};
    }

private:
    GateKind m_kind;
    float m_bias;
    std::uint64_t m_noise = 0;
};

}  // namespace

void attentionForwardTwin(const AttentionProblem& problem, const AttentionResult& result, int prompt,
                          int head)
{
    const Prompt rows(problem, prompt);
    const int kvHead = head / (problem.heads / problem.kvHeads);
    const Matrix queries = rows.read(head);
    const Matrix keys = rows.read(rows.keySlot(kvHead));
    const Matrix values = rows.read(rows.valueSlot(kvHead));
    auto* const z = static_cast<float*>(result.z);
    std::vector<float> scores(static_cast<std::size_t>(problem.length));
    double expected = 0;
    double active = 0;
    for (int query = 0; query < problem.length; ++query) {
        float* const sum = z + rows.headAt(query, head);
        std::fill(sum, sum + problem.headDim, 0.0f);
        result.logSumExp[rows.statAt(head, query)] = 0;
        if (query >= rows.length())
            continue;
        float most = -std::numeric_limits<float>::infinity();
        for (int key = rows.firstKey(query); key <= query; ++key) {
            scores[std::size_t(key)] = problem.scale * dot(queries[query], keys[key], problem.headDim);
            most = std::max(most, scores[std::size_t(key)]);
        }
        float total = 0;
        for (int key = rows.firstKey(query); key <= query; ++key)
            total += std::exp(scores[std::size_t(key)] - most);
        const float logSumExp = most + std::log(total);
        result.logSumExp[rows.statAt(head, query)] = logSumExp;
        const GateRow gates(problem, prompt, head, query);
        for (int key = rows.firstKey(query); key <= query; ++key) {
            const float score = scores[std::size_t(key)];
            const Gate gate = gates.at(score, key);
            expected += gate.chance;
            active += gate.isOpen ? 1 : 0;
            if (gate.isOpen)
                add(sum, std::exp(score - logSumExp), values[key], problem.headDim);
        }
    }
    if (problem.gate != GateKind::None) {
        result.expected[rows.sumAt(head)] = static_cast<float>(expected);
        result.active[rows.sumAt(head)] = static_cast<float>(active);
    }
}

void attentionBackwardTwin(const AttentionProblem& problem, const AttentionGradient& gradient, int prompt,
                           int kvHead)
{
    const Prompt rows(problem, prompt);
    const int headDim = problem.headDim;
    const int perGroup = problem.heads / problem.kvHeads;
    const auto* const z = static_cast<const float*>(gradient.z);
    const auto* const dz = static_cast<const float*>(gradient.dz);
    auto* const dqkv = static_cast<float*>(gradient.dqkv);
    const Matrix keys = rows.read(rows.keySlot(kvHead));
    const Matrix values = rows.read(rows.valueSlot(kvHead));
    Matrix dKeys(problem.length, headDim);
    Matrix dValues(problem.length, headDim);

    const auto write = [&](Matrix& matrix, int slot, bool isTurned) {
        for (int row = 0; row < problem.length; ++row) {
            if (isTurned)
                rows.turn(matrix[row], row, -1);
            std::copy(matrix[row], matrix[row] + headDim, dqkv + rows.packedAt(row, slot));
        }
    };
    for (int head = kvHead * perGroup; head < (kvHead + 1) * perGroup; ++head) {
        const Matrix queries = rows.read(head);
        Matrix dQueries(problem.length, headDim);
        const float dExpected = gradient.dExpected ? gradient.dExpected[rows.sumAt(head)] : 0;
        for (int query = 0; query < rows.length(); ++query) {
            const float* const dSum = dz + rows.headAt(query, head);
            const float delta = dot(dSum, z + rows.headAt(query, head), headDim);
            const float logSumExp = gradient.logSumExp[rows.statAt(head, query)];
            const GateRow gates(problem, prompt, head, query);
            for (int key = rows.firstKey(query); key <= query; ++key) {
                const float score = problem.scale * dot(queries[query], keys[key], headDim);
                const float weight = std::exp(score - logSumExp);
                const float c = dot(dSum, values[key], headDim);
                const Gate gate = gates.at(score, key);
                float dScore = weight * ((gate.isOpen ? c : 0) - delta);
                if (problem.gate != GateKind::None)
                    dScore += weight * c * gate.soft * (1 - gate.soft) +
                              dExpected * gate.chance * (1 - gate.chance);
                if (gate.isOpen)
                    add(dValues[key], weight, dSum, headDim);
                add(dQueries[query], problem.scale * dScore, keys[key], headDim);
                add(dKeys[key], problem.scale * dScore, queries[query], headDim);
            }
        }
        write(dQueries, head, true);
    }
    write(dKeys, rows.keySlot(kvHead), true);
    write(dValues, rows.valueSlot(kvHead), false);
}

}  // namespace hs::cuda
