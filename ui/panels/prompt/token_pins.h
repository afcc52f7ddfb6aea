#pragma once

#include <optional>

namespace hs::panels {

/// The pinned positions, as a click on the token strip changes them: the first click pins the key; of two
/// tokens the earlier is the key and the later the query, since a query sees only what is before it. Where it sees
/// everything, the second click pins the query. A click on a pinned token releases it; with both pinned, a click
/// moves one of them.
struct TokenPins {
    std::optional<int> key;
    std::optional<int> query;

    TokenPins afterClick(int token, bool isCausal = true) const;
    TokenPins withKey(int token) const;    // releases it if it is the key
    TokenPins withQuery(int token) const;  // likewise

    /// Whether a click on the token pins it as query rather than as key.
    bool wouldPinQuery(int token, bool isCausal = true) const;
    bool holds(int token) const { return key == token || query == token; }

    friend bool operator==(const TokenPins&, const TokenPins&) = default;
};

}  // namespace hs::panels
