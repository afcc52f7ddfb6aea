#pragma once

#include "model/arch_spec.h"
#include "train/batch.h"

namespace hs::test {

/// Rows of different lengths, some of them shorter than the batch, in two groups.
inline train::Batch oddBatch(const model::ArchSpec& spec)
{
    train::Batch batch;
    batch.lengths = {17, 5, 1, 12};
    batch.rows = static_cast<int>(batch.lengths.size());
    batch.length = 17;
    for (int row = 0; row < batch.rows; ++row) {
        batch.groups.push_back(row % 2);
        for (int position = 0; position < batch.length; ++position) {
            const bool isReal = position < batch.lengths[row];
            batch.tokens.push_back(isReal ? (row * 7 + position * 3 + 1) % spec.vocabulary : 0);
            batch.weights.push_back(position + 1 < batch.lengths[row] ? 1.0f : 0.0f);
        }
    }
    return batch;
}

}  // namespace hs::test
