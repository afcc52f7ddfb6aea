#pragma once

#include <cstddef>

namespace hs::text {

/// Throws Failure if a text of `bytes` was made from far fewer. A tokenizer's files are untrusted, and a
/// chain of rules can make a text longer at every step.
void requireModestGrowth(std::size_t bytes, std::size_t madeOf);

}  // namespace hs::text
