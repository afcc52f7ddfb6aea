#pragma once

#include "features/coders/transcoders_tensors.h"

#include <vector>

namespace hs::features {

/// What transcoders make of a run, one layer after the other. No more is kept than outputs and counts.
class CodedOutputs {
public:
    explicit CodedOutputs(const Transcoders& coders);

    /// Encodes what the next layer reads and gives its MLP's output by the features of this layer and those
    /// before. [position, width] -> the same
    at::Tensor next(const at::Tensor& input);

    /// At how many positions each feature fired, of the layers encoded so far. [layer] [feature] int64
    const std::vector<at::Tensor>& counts() const { return m_counts; }

private:
    const Transcoders& m_coders;
    std::vector<at::Tensor> m_written;  // [layer] by features so far; undefined: nothing
    std::vector<at::Tensor> m_counts;
};

}  // namespace hs::features
