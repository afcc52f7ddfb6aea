#include "text/json_fields.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "text/utf8.h"

namespace hs {

JsonFields::JsonFields(const Json& json, std::string place) : m_json(json), m_place(std::move(place))
{
    if (!json.is_object())
        bad("is not an object");
}

const Json& JsonFields::at(const char* name) const
{
    const auto found = m_json.find(name);
    if (found == m_json.end())
        bad("has no '" + std::string(name) + "'");
    return *found;
}

std::string JsonFields::string(const char* name) const
{
    const Json& value = at(name);
    if (!value.is_string())
        bad("has a '" + std::string(name) + "' that is not a text");
    return value.get<std::string>();
}

bool JsonFields::boolean(const char* name) const
{
    const Json& value = at(name);
    if (!value.is_boolean())
        bad("has a '" + std::string(name) + "' that is neither true nor false");
    return value.get<bool>();
}

std::size_t JsonFields::count(const char* name) const
{
    const Json& value = at(name);
    if (!value.is_number_unsigned())
        bad("has a '" + std::string(name) + "' that is not a count");
    return value.get<std::size_t>();
}

std::string JsonFields::character(const char* name) const
{
    std::string value = string(name);
    if (value.empty() || value.size() != utf8Length(value.front()))
        bad("has a '" + std::string(name) + "' that is not one character");
    return value;
}

JsonFields JsonFields::object(const char* name) const
{
    return {at(name), m_place + '.' + name};
}

const Json& JsonFields::array(const char* name) const
{
    const Json& value = at(name);
    if (!value.is_array())
        bad("has a '" + std::string(name) + "' that is not a list");
    return value;
}

std::string JsonFields::string(const char* name, std::string_view otherwise) const
{
    return has(name) ? string(name) : std::string(otherwise);
}

bool JsonFields::boolean(const char* name, bool otherwise) const
{
    return has(name) ? boolean(name) : otherwise;
}

bool JsonFields::has(const char* name) const
{
    const auto found = m_json.find(name);
    return found != m_json.end() && !found->is_null();
}

void JsonFields::unsupported(const std::string& what) const
{
    fail(ErrorCode::Unsupported,
         "This tokenizer needs " + shortened(what) + " (" + m_place +
             " in tokenizer.json), which is not supported; pass token ids with --tokens instead.");
}

void JsonFields::bad(const std::string& what) const
{
    fail(ErrorCode::BadFile, m_place + " in tokenizer.json " + shortened(what) + "; fetch the file again.");
}

}  // namespace hs
