#pragma once

#include "engine/run/decoder_tensors.h"

#include <vector>

namespace hs::train {

/// Attention of documents that grow side by side, a token each at a time: keys and values of earlier tokens
/// are kept, and only those that the newest may see are read. A kernel on a GPU, its twin on the CPU.
class CachedAttention {
public:
    CachedAttention(const model::ArchSpec& spec, std::int64_t documents, std::int64_t length,
                    at::TensorOptions options);

    /// Keeps the keys and values of the tokens at `position`, and gives their heads' outputs z.
    at::Tensor attend(int layer, const at::Tensor& packed, const engine::Rotation& rotation,
                      std::int64_t position);  // [document, head, head size]

    /// What a document of so many tokens takes.
    static std::uint64_t bytesOfDocument(const model::ArchSpec& spec, std::int64_t length,
                                         at::ScalarType type);

private:
    const model::ArchSpec& m_spec;
    std::vector<at::Tensor> m_keys;  // [layer] of [document, key/value head, key, head size]
    std::vector<at::Tensor> m_values;
};

}  // namespace hs::train
