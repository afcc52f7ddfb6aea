#pragma once

#include "train/batch.h"

namespace hs::test {

/// Rows that count up from a start, which is quickly learned.
class CountingRows : public train::BatchSource {
public:
    static constexpr int kLength = 6;
    static constexpr int kWords = 12;

    std::vector<std::string> groups() const override { return {"counting"}; }
    train::Batch training(std::int64_t step) const override { return rows(8, static_cast<int>(step % 5)); }
    std::vector<train::HeldOutBatch> heldOut() const override
    {
        train::HeldOutBatch heldOut{rows(4, 5), {}};
        for (int row = 0; row < 4; ++row)
            for (int position = 1; position < kLength; ++position) {
                const std::int64_t right = heldOut.batch.tokens[row * kLength + position];
                heldOut.answers.push_back({row, position, right, right});
            }
        return {heldOut};
    }

private:
    static train::Batch rows(int count, int from)
    {
        train::Batch batch;
        batch.rows = count;
        batch.length = kLength;
        batch.lengths.assign(count, kLength);
        batch.groups.assign(count, 0);
        for (int row = 0; row < count; ++row)
            for (int position = 0; position < kLength; ++position) {
                batch.tokens.push_back((from + row + position) % kWords);
                batch.weights.push_back(position + 1 < kLength ? 1.0f : 0.0f);
            }
        return batch;
    }
};

}  // namespace hs::test
