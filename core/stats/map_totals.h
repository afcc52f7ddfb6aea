#pragma once

#include "stats/exact_sum.h"

#include <algorithm>
#include <vector>

namespace hs::stats {

/// Cells of maps added up over prompts, in numbers whose bits no order of the prompts changes.
struct MapTotals {
    using Sum = ExactSum<96>;

    std::vector<Sum> sums;
    std::vector<Sum> squares;
    std::vector<float> largest;

    std::size_t cells() const { return sums.size(); }
    void resize(std::size_t cells)
    {
        sums.resize(cells);
        squares.resize(cells);
        largest.resize(cells);
    }
    void clear()
    {
        sums.clear();
        squares.clear();
        largest.clear();
    }
    void add(std::size_t cell, float weight)
    {
        if (weight == 0)  // most cells of a sparse model
            return;
        const double value = weight;
        sums[cell].add(value);
        squares[cell].add(value * value);
        largest[cell] = std::max(largest[cell], weight);
    }
    void add(std::size_t cell, const MapTotals& other, std::size_t otherCell)
    {
        sums[cell].add(other.sums[otherCell]);
        squares[cell].add(other.squares[otherCell]);
        largest[cell] = std::max(largest[cell], other.largest[otherCell]);
    }

    friend bool operator==(const MapTotals&, const MapTotals&) = default;
};

}  // namespace hs::stats
