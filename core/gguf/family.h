#pragma once

#include "base/json.h"
#include "gguf/container.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hs::gguf {

/// How llama.cpp's converter reordered the rows of a tensor.
enum class RowOrder {
    Kept,
    RotaryPairs,  // of each head: rows that rotate together are neighbours
    StackedQkv,   // all queries, all keys, all values, instead of head by head
};

struct TensorName {
    std::string_view gguf;        // "attn_q"
    std::string_view checkpoint;  // "self_attn.q_proj"
    RowOrder order = RowOrder::Kept;
};

/// One `general.architecture`: how its keys and tensors are called where transformers keeps them. A new one
/// is an entry in families() and, where they differ, functions and names of its own.
struct Family {
    std::string_view architecture;
    std::string_view modelType;  // of config.json
    /// Adds what the keys say beyond the sizes that all families have.
    void (*addToConfig)(Json& config, const Container& container);
    std::string_view block;  // "layers" for tensors called layers.0.…
    std::span<const TensorName> shared;
    std::span<const TensorName> ofLayer;
    bool hasNormsPlusOne = false;  // norms' weights are 1 + w where checkpoints have w
};

/// Throws a Failure that names an architecture which is not among them, or a file that holds no model.
const Family& familyOf(const Container& container);

/// A key of the model's architecture: "llama.block_count" for "block_count".
std::string keyOf(const Container& container, std::string_view name);

}  // namespace hs::gguf
