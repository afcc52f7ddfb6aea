#pragma once

#include "base/json.h"

#include <initializer_list>
#include <optional>
#include <string>

namespace hs {

/// Typed, bounded reading of an untrusted config.json. Every call may name several spellings of a
/// key; the first one present (and not null) counts. Throws Failure with the key and what is
/// expected of it.
class ConfigReader {
public:
    using Keys = std::initializer_list<const char*>;

    explicit ConfigReader(const Json& config);

    bool has(Keys keys) const { return find(keys) != nullptr; }
    bool isNull(const char* key) const;

    int integer(Keys keys, int least, int most) const;
    int integerOr(Keys keys, int least, int most, int fallback) const;
    std::optional<int> optionalInteger(Keys keys, int least, int most) const;
    double numberOr(Keys keys, double least, double most, double fallback) const;
    std::optional<double> optionalNumber(Keys keys, double least, double most) const;
    bool flagOr(Keys keys, bool fallback) const;
    std::string textOr(Keys keys, std::string fallback) const;

    /// The object under a key, or an empty one.
    ConfigReader object(Keys keys) const;
    const Json& json() const { return m_config; }

private:
    const Json* find(Keys keys) const;

    const Json& m_config;
};

}  // namespace hs
