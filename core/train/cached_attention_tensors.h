#pragma once

#include "engine/run/attention_tensors.h"
#include "model/arch_spec.h"

#include <vector>

namespace hs::train {

/// Attention of documents that grow side by side, a token each at a time: keys and values of earlier tokens
/// are kept, and only those that the newest may see are read.
class CachedAttention {
public:
    CachedAttention(const model::ArchSpec& spec, std::int64_t documents, std::int64_t length,
                    at::TensorOptions options);

    /// Keeps the keys and values of the tokens at `position`, and gives their heads' outputs z.
    at::Tensor attend(int layer, const engine::Projections& now,
                      std::int64_t position);  // [document, head, head size]

    /// What a document of so many tokens takes.
    static std::uint64_t bytesOfDocument(const model::ArchSpec& spec, std::int64_t length,
                                         at::ScalarType type);

private:
    const model::ArchSpec& m_spec;
    std::int64_t m_documents;
    std::vector<at::Tensor> m_keys;  // [layer] of [document * key/value head, key, head size]
    std::vector<at::Tensor> m_values;
};

}  // namespace hs::train
