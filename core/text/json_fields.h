#pragma once

#include "base/json.h"

#include <optional>
#include <string>
#include <string_view>

namespace hs {

/// A component of a tokenizer.json with its place in the file, so that errors can name both.
class JsonFields {
public:
    JsonFields(const Json& json, std::string place);

    const Json& json() const { return m_json; }
    const std::string& place() const { return m_place; }

    /// The component's "type".
    std::string type() const { return string("type"); }

    /// Required fields; throw Failure when absent or of another kind.
    const Json& at(const char* name) const;
    std::string string(const char* name) const;
    bool boolean(const char* name) const;
    std::size_t count(const char* name) const;
    std::string character(const char* name) const;
    JsonFields object(const char* name) const;
    const Json& array(const char* name) const;

    /// Absent or null means the given value.
    std::string string(const char* name, std::string_view otherwise) const;
    bool boolean(const char* name, bool otherwise) const;

    bool has(const char* name) const;

    [[noreturn]] void unsupported(const std::string& what) const;
    [[noreturn]] void bad(const std::string& what) const;

private:
    const Json& m_json;
    std::string m_place;
};

}  // namespace hs
