#pragma once

#include "base/head_id.h"
#include "base/result.h"
#include "stats/head_stats.h"

#include <memory>
#include <string_view>

namespace hs::stats {

/// A condition on heads, as typed: "L5H*", "density<0.01 & entropy<1", "!(L0H* | peak >= 0.5)".
/// Names are those of allMetrics(), in any case and with - for _; `&` binds tighter than `|`, a
/// comma means `|`; `and`, `or` and `not` work as well. An empty text matches everything; a comparison
/// with NaN is false. Immutable, for any thread.
class HeadFilter {
public:
    /// Heads outside the shape are not an error: they match nothing.
    static Result<HeadFilter> parse(std::string_view text, const HeadShape& shape);

    bool matches(HeadId head, const HeadStats& stats) const;

private:
    struct Node;
    explicit HeadFilter(std::shared_ptr<const Node> root);

    std::shared_ptr<const Node> m_root;  // null: matches everything
};

}  // namespace hs::stats
