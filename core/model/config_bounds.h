#pragma once

namespace hs::model {

// Far above anything trained, far below what would overflow or exhaust memory by itself.
inline constexpr int kMostLayers = 1024;
inline constexpr int kMostHeads = 4096;
inline constexpr int kMostWidth = 1 << 20;
inline constexpr int kMostVocabulary = 1 << 24;
inline constexpr int kMostContext = 1 << 30;

}  // namespace hs::model
