#pragma once

#include "train/batch.h"
#include "train/task_suite.h"

#include <cstdint>

namespace hs::train {

struct TaskBatchOptions {
    int rows = 512;
    std::uint64_t seed = 0;
    int context = 64;  // the model's context; at least kLongestPrompt
    int heldOutPerTask = 256;
    float contextWeight = 0.1f;  // of the loss of words that are not answers
};

/// Prompts of the built-in tasks, the tasks taking turns row by row. Every eighth batch instead has fewer
/// rows that fill the context, each with one task's prompts, so that late positions learn, too.
class TaskBatches : public BatchSource {
public:
    /// Throws Failure if the options make no batch.
    explicit TaskBatches(TaskBatchOptions options);

    std::vector<std::string> groups() const override;  // in the order of Task
    Batch training(std::int64_t step) const override;
    std::vector<HeldOutBatch> heldOut() const override;

private:
    TaskBatchOptions m_options;
    TaskSuite m_suite;
};

}  // namespace hs::train
