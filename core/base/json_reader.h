#pragma once

#include "base/json.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hs {

/// An object of JSON that may be anybody's, read field by field. What is missing, of another kind or out
/// of range throws a Failure that names source and field and ends with the remedy. The JSON must outlive it.
class JsonReader {
public:
    /// `what` names the source ("sweep.json"), `remedy` is what helps ("make it again").
    JsonReader(const Json& json, std::string what, std::string remedy);

    const Json& at(const char* name) const;
    bool has(const char* name) const;  // and not null

    double number(const char* name) const;  // null is NaN
    double finite(const char* name) const;
    int integer(const char* name, int least, int most) const;
    bool flag(const char* name) const;
    std::string text(const char* name) const;
    /// Where the text stands among these words.
    std::size_t word(const char* name, std::span<const char* const> words) const;

    const Json& list(const char* name) const;
    const Json& list(const char* name, std::size_t count) const;  // of so many items
    JsonReader object(const char* name) const;

    /// The same for an item of the list of that name.
    JsonReader item(const Json& json) const;
    int integerIn(const Json& json, const char* name, int least, int most) const;
    std::vector<double> numbersIn(const Json& json, const char* name, std::size_t count) const;

    [[noreturn]] void bad(const std::string& why) const;

private:
    double numberIn(const Json& json, const char* name) const;
    const Json& listIn(const Json& json, const char* name, std::size_t count) const;

    const Json& m_json;
    std::string m_what;
    std::string m_remedy;
};

}  // namespace hs
