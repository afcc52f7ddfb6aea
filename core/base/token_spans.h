#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hs {

/// A text's tokens cut into spans, one behind the other, so that patterns have a cell for each pair of spans: the sum over
/// its keys, averaged over its queries.
class TokenSpans {
public:
    TokenSpans() = default;  // none: each token stands for itself
    /// Where each of them ends; the last one with the text.
    explicit TokenSpans(std::vector<int> ends) : m_ends(std::move(ends)) {}

    /// Whether a span has several tokens. Spans of one token each say what tokens say.
    bool folds() const { return !m_ends.empty() && count() < m_ends.back(); }
    /// Whether they cut a text of so many tokens, or none.
    bool fit(int tokens) const;

    int count() const { return static_cast<int>(m_ends.size()); }
    int begin(int span) const { return span == 0 ? 0 : end(span - 1); }
    int end(int span) const { return m_ends[static_cast<std::size_t>(span)]; }
    int size(int span) const { return end(span) - begin(span); }
    int of(int token) const;  // the span that has it
    const std::vector<int>& ends() const { return m_ends; }

    /// By which equal spans are told: a token's own id where it is alone.
    std::vector<std::int64_t> idsOf(std::span<const std::int64_t> tokens) const;

    /// Pairs of spans in which a query sees a key: itself and tokens before it, `window` in all (0: all).
    std::int64_t visibleCells(int window) const;

    friend bool operator==(const TokenSpans&, const TokenSpans&) = default;

private:
    std::vector<int> m_ends;  // [span]
};

}  // namespace hs
