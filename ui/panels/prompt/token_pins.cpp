#include "panels/prompt/token_pins.h"

namespace hs::panels {

TokenPins TokenPins::afterClick(int token, bool isCausal) const
{
    TokenPins pins = *this;
    if (holds(token)) {
        if (key == token)
            pins.key.reset();
        if (query == token)
            pins.query.reset();
        return pins;
    }
    if (isCausal && key && !query && token < *key)
        return {token, key};
    if (isCausal && !key && query && token > *query)
        return {query, token};
    (wouldPinQuery(token, isCausal) ? pins.query : pins.key) = token;
    return pins;
}

TokenPins TokenPins::withKey(int token) const
{
    return {key == token ? std::nullopt : std::optional(token), query};
}

TokenPins TokenPins::withQuery(int token) const
{
    return {key, query == token ? std::nullopt : std::optional(token)};
}

bool TokenPins::wouldPinQuery(int token, bool isCausal) const
{
    if (!isCausal)
        return key.has_value();
    if (query)
        return token > *query;
    return key && token > *key;
}

}  // namespace hs::panels
