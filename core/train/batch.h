#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hs::train {

/// Rows of tokens to learn from, padded at their ends.
struct Batch {
    int rows = 0;
    int length = 0;                     // tokens per row, padding included
    std::vector<std::int64_t> tokens;   // [row, position], 0 where padded
    std::vector<std::int32_t> lengths;  // [row] tokens that are not padding
    std::vector<std::int32_t> groups;   // [row] index into BatchSource::groups()
    std::vector<float> weights;  // [row, position] of the loss of the token that follows; 0 at the last
};

/// Tokens that are right at one position of a row: those with ids from `first` to `last`.
struct Answer {
    int row = 0;
    int position = 0;  // of the answer itself; it is predicted one position earlier
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// A batch that was set aside, with its right answers.
struct HeldOutBatch {
    Batch batch;
    std::vector<Answer> answers;  // empty for plain text
};

/// Where training takes its rows from. Every batch is a function of its number alone, so that a resumed
/// training sees what it would have seen. May be called from any thread.
class BatchSource {
public:
    virtual ~BatchSource() = default;

    /// The kinds of rows: tasks, or domains of language.
    virtual std::vector<std::string> groups() const = 0;
    /// Called with each step whose batch will be asked for, in order, on the training's own thread and never
    /// while a batch is being made: what takes a GPU, or long, is done here. A stop request ends it early.
    virtual void prepare(std::int64_t /*step*/) {}
    /// How many steps what `prepare` does lasts; 0: for ever.
    virtual std::int64_t stepsPerRound() const { return 0; }
    virtual Batch training(std::int64_t step) const = 0;
    /// Rows that no training batch holds; always the same ones.
    virtual std::vector<HeldOutBatch> heldOut() const = 0;
    /// Held-out rows that are longer than those above; none where the data have none so long.
    virtual std::vector<HeldOutBatch> longerHeldOut(int /*length*/) const { return {}; }
};

}  // namespace hs::train
