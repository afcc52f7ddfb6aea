#pragma once

#include <cstddef>

namespace hs {

/// Cores that this thread may run on. Two processors that share a core are one: what computes gains nothing by using both.
int allowedCores();

/// Asks for large pages behind memory that is about to be filled: with small ones, the system's part of loading a model
/// takes longer than reading it. Nothing happens where they are not to be had.
void preferLargePages(void* memory, std::size_t bytes);

}  // namespace hs
