#pragma once

#include "base/json.h"
#include "gguf/container.h"
#include "gguf/family.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hs::gguf {

/// A GGUF model as transformers would have saved it: everything after this needs to know nothing of GGUF.

/// Its config.json. Throws Failure for what the keys lack or give out of range.
Json configOf(const Container& container);

/// A tensor under the name and with the rows it has in a checkpoint.
struct CheckpointTensor {
    std::string name;  // without the prefix of the model's class
    const PackedTensor* packed = nullptr;
    RowOrder order = RowOrder::Kept;
    std::int64_t heads = 1;  // that the rows are of
    bool isPlusOne = false;  // the file's numbers are those of the checkpoint plus one

    /// Rows of a matrix; the numbers of a vector are rows of one.
    std::int64_t rows() const;
    std::int64_t width() const;
    /// The row of the file that is row `row` of the checkpoint.
    std::int64_t storedRow(std::int64_t row) const;
};

/// Tensors that no checkpoint has keep their names; those that became part of the config are left out.
std::vector<CheckpointTensor> checkpointTensors(const Container& container);

}  // namespace hs::gguf
