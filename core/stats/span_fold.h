#pragma once

#include "base/token_spans.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hs::stats {

/// Folds a head's pattern to spans, row by row, so that it need not be held as a whole. A span of one token keeps the
/// bits of its weights. The spans have to outlive it.
class SpanFold {
public:
    explicit SpanFold(const TokenSpans& spans);

    /// The next query's row, of which the keys from `first` to before `end` have weights; `open` says which of their cells a
    /// gate leaves open, null without one. [key] Returns the row of the span that ends with this query, valid until the
    /// next one [span]; null within a span.
    const float* add(const float* row, const std::uint8_t* open, int first, int end);

    /// Pairs of spans with an open cell so far.
    std::int64_t activeCells() const { return m_active; }

private:
    const TokenSpans& m_spans;
    int m_query = 0;
    int m_span = 0;               // that the query is in
    std::vector<double> m_sums;   // [span] of its keys, over the queries of the span so far
    std::vector<float> m_row;     // [span]
    std::vector<char> m_hasOpen;  // [span]
    std::int64_t m_active = 0;
};

/// A whole map folded. [query, key] → [span, span]
void foldMap(const TokenSpans& spans, const float* map, float* folded);

}  // namespace hs::stats
