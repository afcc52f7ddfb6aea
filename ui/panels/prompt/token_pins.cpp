#include "panels/prompt/token_pins.h"

namespace hs::panels {

TokenPins TokenPins::afterClick(int token) const
{
    TokenPins pins = *this;
    if (holds(token)) {
        if (key == token)
            pins.key.reset();
        if (query == token)
            pins.query.reset();
        return pins;
    }
    if (key && !query && token < *key)
        return {token, key};
    if (!key && query && token > *query)
        return {query, token};
    (wouldPinQuery(token) ? pins.query : pins.key) = token;
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

bool TokenPins::wouldPinQuery(int token) const
{
    if (query)
        return token > *query;
    return key && token > *key;
}

}  // namespace hs::panels
