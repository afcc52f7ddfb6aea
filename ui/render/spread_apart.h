#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace hs::render {

/// Puts labels in the order of their wanted places along a line, each at least `gap` behind the one before, and within
/// `low` and `high` where there is room for all. (place, what stands there)
template <class Item>
void spreadApart(std::vector<std::pair<double, Item>>& labels, double gap, double low, double high)
{
    std::ranges::sort(labels);
    for (auto& [place, item] : labels) {
        place = std::max(place, low);
        low = place + gap;
    }
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        label->first = std::min(label->first, high);
        high = label->first - gap;
    }
}

}  // namespace hs::render
