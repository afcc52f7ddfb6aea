#include "base/json_reader.h"

#include "base/failure.h"

#include <cmath>
#include <limits>

namespace hs {
namespace {

constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

}  // namespace

JsonReader::JsonReader(const Json& json, std::string what, std::string remedy)
    : m_json(json), m_what(std::move(what)), m_remedy(std::move(remedy))
{
    if (!json.is_object())
        bad("holds something else than an object where one belongs");
}

const Json& JsonReader::at(const char* name) const
{
    const auto found = m_json.find(name);
    if (found == m_json.end())
        bad("lacks \"" + std::string(name) + "\"");
    return *found;
}

bool JsonReader::has(const char* name) const
{
    const auto found = m_json.find(name);
    return found != m_json.end() && !found->is_null();
}

double JsonReader::number(const char* name) const
{
    return numberIn(at(name), name);
}

double JsonReader::finite(const char* name) const
{
    const double value = number(name);
    if (!std::isfinite(value))
        bad("has no number in \"" + std::string(name) + "\"");
    return value;
}

int JsonReader::integer(const char* name, int least, int most) const
{
    return integerIn(at(name), name, least, most);
}

bool JsonReader::flag(const char* name) const
{
    const Json& value = at(name);
    if (!value.is_boolean())
        bad("has a \"" + std::string(name) + "\" that is neither true nor false");
    return value.get<bool>();
}

std::string JsonReader::text(const char* name) const
{
    const Json& value = at(name);
    if (!value.is_string())
        bad("has a \"" + std::string(name) + "\" that is no text");
    return value.get<std::string>();
}

std::size_t JsonReader::word(const char* name, std::span<const char* const> words) const
{
    const std::string wanted = text(name);
    for (std::size_t index = 0; index < words.size(); ++index)
        if (wanted == words[index])
            return index;
    bad("has a \"" + std::string(name) + "\" that is not known here");
}

const Json& JsonReader::list(const char* name) const
{
    const Json& value = at(name);
    if (!value.is_array())
        bad("has a \"" + std::string(name) + "\" that is no list");
    return value;
}

const Json& JsonReader::list(const char* name, std::size_t count) const
{
    return listIn(at(name), name, count);
}

JsonReader JsonReader::object(const char* name) const
{
    return item(at(name));
}

JsonReader JsonReader::item(const Json& json) const
{
    return {json, m_what, m_remedy};
}

int JsonReader::integerIn(const Json& json, const char* name, int least, int most) const
{
    const bool isWithin = json.is_number_integer() &&
                          !(json.is_number_unsigned() && json.get<std::uint64_t>() > kLargest) &&
                          json.get<std::int64_t>() >= least && json.get<std::int64_t>() <= most;
    if (!isWithin)
        bad("has a \"" + std::string(name) + "\" that is no whole number from " + std::to_string(least) +
            " to " + std::to_string(most));
    return json.get<int>();
}

std::vector<double> JsonReader::numbersIn(const Json& json, const char* name, std::size_t count) const
{
    std::vector<double> values;
    for (const Json& value : listIn(json, name, count))
        values.push_back(numberIn(value, name));
    return values;
}

void JsonReader::bad(const std::string& why) const
{
    fail(ErrorCode::BadFile, m_what + " " + why + "; " + m_remedy + ".");
}

double JsonReader::numberIn(const Json& json, const char* name) const
{
    if (json.is_null())
        return std::numeric_limits<double>::quiet_NaN();
    if (!json.is_number())
        bad("has a \"" + std::string(name) + "\" that is no number");
    return json.get<double>();
}

const Json& JsonReader::listIn(const Json& json, const char* name, std::size_t count) const
{
    if (!json.is_array() || json.size() != count)
        bad("has a \"" + std::string(name) + "\" that is no list of " + std::to_string(count));
    return json;
}

}  // namespace hs
