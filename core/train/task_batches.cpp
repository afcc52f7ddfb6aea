#include "train/task_batches.h"

#include "base/failure.h"

#include <algorithm>

namespace hs::train {
namespace {

constexpr std::int64_t kLongEvery = 8;
constexpr int kLongRowsShare = 4;  // a long batch has one row for this many of a short one

Batch emptyBatch(int rows, int length)
{
    Batch batch;
    batch.rows = rows;
    batch.length = length;
    const auto cells = static_cast<std::size_t>(rows) * static_cast<std::size_t>(length);
    batch.tokens.assign(cells, 0);
    batch.weights.assign(cells, 0.0f);
    batch.lengths.reserve(static_cast<std::size_t>(rows));
    batch.groups.reserve(static_cast<std::size_t>(rows));
    return batch;
}

/// Fills the next row.
void addRow(Batch& batch, const TaskPrompt& prompt, float contextWeight)
{
    const auto start = static_cast<std::ptrdiff_t>(batch.lengths.size()) * batch.length;
    const auto length = static_cast<std::ptrdiff_t>(prompt.tokens.size());
    std::copy(prompt.tokens.begin(), prompt.tokens.end(), batch.tokens.begin() + start);
    const auto weights = batch.weights.begin() + start;
    std::fill(weights, weights + length - 1, contextWeight);
    for (const TaskAnswer& answer : prompt.answers)
        weights[answer.position - 1] = 1.0f;
    batch.lengths.push_back(static_cast<std::int32_t>(length));
    batch.groups.push_back(static_cast<std::int32_t>(prompt.task));
}

Task taskOfRow(std::int64_t row)
{
    return static_cast<Task>(row % kTaskCount);
}

}  // namespace

TaskBatches::TaskBatches(TaskBatchOptions options) : m_options(options)
{
    if (options.rows < 1 || options.heldOutPerTask < 1)
        fail(ErrorCode::BadRequest, "A batch needs at least one prompt; give a larger number.");
    if (options.context < kLongestPrompt)
        fail(ErrorCode::BadRequest, "Prompts of the tasks have up to " + std::to_string(kLongestPrompt) +
                                        " tokens, but rows have " + std::to_string(options.context) +
                                        "; raise --length, or take a model with a longer context.");
}

std::vector<std::string> TaskBatches::groups() const
{
    std::vector<std::string> names;
    for (int task = 0; task < kTaskCount; ++task)
        names.emplace_back(taskName(static_cast<Task>(task)));
    return names;
}

Batch TaskBatches::training(std::int64_t step) const
{
    const bool isLong = step % kLongEvery == kLongEvery - 1;
    const int rows = isLong ? std::max(1, m_options.rows / kLongRowsShare) : m_options.rows;
    Batch batch = emptyBatch(rows, isLong ? m_options.context : kLongestPrompt);
    Draws numbers({m_options.seed, static_cast<std::uint64_t>(step)});
    // Batches continue where the last of their kind ended, so that even small ones cover every task.
    const std::int64_t before = (isLong ? step / kLongEvery : step - step / kLongEvery) * rows;
    for (int row = 0; row < rows; ++row) {
        const Task task = taskOfRow(before + row);
        const std::uint64_t number = numbers.next();
        addRow(batch,
               isLong ? m_suite.longPrompt(task, m_options.context, number)
                      : m_suite.prompt(task, Split::Training, number),
               m_options.contextWeight);
    }
    return batch;
}

std::vector<HeldOutBatch> TaskBatches::heldOut() const
{
    const std::int64_t total = std::int64_t{m_options.heldOutPerTask} * kTaskCount;
    std::vector<HeldOutBatch> batches;
    for (std::int64_t first = 0; first < total; first += m_options.rows) {
        const int rows = static_cast<int>(std::min<std::int64_t>(m_options.rows, total - first));
        HeldOutBatch held{emptyBatch(rows, kLongestPrompt), {}};
        for (int row = 0; row < rows; ++row) {
            const auto number = static_cast<std::uint64_t>((first + row) / kTaskCount);
            const TaskPrompt prompt = m_suite.prompt(taskOfRow(first + row), Split::HeldOut, number);
            addRow(held.batch, prompt, m_options.contextWeight);
            for (const TaskAnswer& answer : prompt.answers)
                held.answers.push_back({row, answer.position, answer.first, answer.last});
        }
        batches.push_back(std::move(held));
    }
    return batches;
}

}  // namespace hs::train
