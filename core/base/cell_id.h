#pragma once

// Before <compare>, which the moc of Qt 6.4 cannot read by itself.
#include <cstddef>

#include <compare>

namespace hs {

/// One cell of a pattern, counted from 0: the query that looks and the key it looks at.
struct CellId {
    int query = 0;
    int key = 0;

    friend auto operator<=>(const CellId&, const CellId&) = default;
};

}  // namespace hs
