#include "train/row_batches.h"

#include "base/failure.h"

#include <algorithm>

namespace hs::train {

void RowSource::prepare(std::int64_t, std::int64_t) {}

RowBatches::RowBatches(std::vector<std::unique_ptr<RowSource>> kinds, int rows, int length)
    : m_kinds(std::move(kinds)), m_rows(rows), m_length(length)
{
    if (rows < 1)
        fail(ErrorCode::BadRequest, "A batch needs at least one row; give a larger number.");
}

std::vector<std::string> RowBatches::groups() const
{
    std::vector<std::string> names;
    for (const auto& kind : m_kinds)
        names.push_back(kind->name());
    return names;
}

void RowBatches::prepare(std::int64_t step)
{
    const auto kinds = static_cast<std::int64_t>(m_kinds.size());
    for (std::int64_t kind = 0; kind < kinds; ++kind) {
        const auto rowsBefore = [&](std::int64_t number) { return (number - kind + kinds - 1) / kinds; };
        m_kinds[kind]->prepare(rowsBefore(step * m_rows), rowsBefore((step + 1) * m_rows));
    }
}

Batch RowBatches::training(std::int64_t step) const
{
    const auto kinds = static_cast<std::int64_t>(m_kinds.size());
    Batch batch;
    for (std::int64_t number = step * m_rows; number < (step + 1) * m_rows; ++number) {
        const auto kind = static_cast<std::size_t>(number % kinds);
        add(batch, kind, m_kinds[kind]->training(number / kinds), m_length);
    }
    return batch;
}

std::int64_t RowBatches::stepsPerRound() const
{
    std::int64_t least = 0;
    for (const auto& kind : m_kinds)
        if (const std::int64_t rows = kind->rowsPerRound(); rows > 0 && (least == 0 || rows < least))
            least = rows;
    if (least == 0)
        return 0;
    return std::max<std::int64_t>(1, least * static_cast<std::int64_t>(m_kinds.size()) / m_rows);
}

std::vector<HeldOutBatch> RowBatches::heldOut() const
{
    std::vector<HeldOutBatch> batches;
    for (std::size_t kind = 0; kind < m_kinds.size(); ++kind)
        for (std::int64_t row = 0; row < m_kinds[kind]->heldOutRows(); ++row) {
            if (batches.empty() || batches.back().batch.rows == m_rows)
                batches.emplace_back();
            add(batches.back().batch, kind, m_kinds[kind]->heldOut(row), m_length);
        }
    return batches;
}

std::vector<HeldOutBatch> RowBatches::longerHeldOut(int length) const
{
    const int rows = std::max(1, m_rows * m_length / length);
    std::vector<HeldOutBatch> batches;
    for (std::size_t kind = 0; kind < m_kinds.size(); ++kind)
        for (const std::vector<std::int64_t>& row : m_kinds[kind]->longerHeldOut(length)) {
            if (batches.empty() || batches.back().batch.rows == rows)
                batches.emplace_back();
            add(batches.back().batch, kind, row, length);
        }
    return batches;
}

void RowBatches::add(Batch& batch, std::size_t kind, const std::vector<std::int64_t>& tokens, int length)
{
    batch.length = length;
    ++batch.rows;
    const std::size_t end = static_cast<std::size_t>(batch.rows) * static_cast<std::size_t>(length);
    batch.tokens.insert(batch.tokens.end(), tokens.begin(), tokens.end());
    batch.tokens.resize(end);
    batch.weights.insert(batch.weights.end(), tokens.size() - 1, 1.0f);
    batch.weights.resize(end);
    batch.lengths.push_back(static_cast<std::int32_t>(tokens.size()));
    batch.groups.push_back(static_cast<std::int32_t>(kind));
}

}  // namespace hs::train
