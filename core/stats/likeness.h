#pragma once

#include <span>
#include <vector>

namespace hs::stats {

/// An order in which like items stand side by side: they are joined pair by pair, the most alike first
/// (average linkage on cosine distance), and each joint turns its two runs so that their nearest ends meet.
/// The same for the same items. Quadratic in their number: 1,024 items take a quarter of a second.
std::vector<int> likenessOrder(std::span<const float> items,  // [item, feature]
                               int count, int features);

}  // namespace hs::stats
