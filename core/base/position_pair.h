#pragma once

namespace hs {

/// Positions of two sequences that stand for each other.
struct PositionPair {
    int first = 0;
    int second = 0;

    friend bool operator==(const PositionPair&, const PositionPair&) = default;
};

}  // namespace hs
