#pragma once

#include "train/batch.h"

#include <memory>

namespace hs::train {

/// One kind of rows, each a function of its number and no longer than the batch's: a group of its own, held
/// to the tolerance by itself.
class RowSource {
public:
    virtual ~RowSource() = default;

    virtual std::string name() const = 0;
    /// Makes training rows from `first` to `end` - 1 ready; see BatchSource::prepare.
    virtual void prepare(std::int64_t first, std::int64_t end);
    /// How many rows are made ready at a time; 0: all of them are.
    virtual std::int64_t rowsPerRound() const { return 0; }
    virtual std::vector<std::int64_t> training(std::int64_t row) const = 0;
    virtual std::int64_t heldOutRows() const = 0;
    virtual std::vector<std::int64_t> heldOut(std::int64_t row) const = 0;
    /// Held-out rows that are longer than those, of about as many tokens in all; none where there are none.
    virtual std::vector<std::vector<std::int64_t>> longerHeldOut(int length) const = 0;
};

/// Batches in which kinds of rows take turns, so that each has the same share.
class RowBatches : public BatchSource {
public:
    RowBatches(std::vector<std::unique_ptr<RowSource>> kinds, int rows, int length);

    std::vector<std::string> groups() const override;
    void prepare(std::int64_t step) override;
    Batch training(std::int64_t step) const override;
    std::int64_t stepsPerRound() const override;
    std::vector<HeldOutBatch> heldOut() const override;
    std::vector<HeldOutBatch> longerHeldOut(int length) const override;

private:
    static void add(Batch& batch, std::size_t kind, const std::vector<std::int64_t>& tokens, int length);

    std::vector<std::unique_ptr<RowSource>> m_kinds;
    int m_rows;    // a step
    int m_length;  // tokens of the longest
};

}  // namespace hs::train
