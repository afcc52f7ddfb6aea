#include "base/json_reader.h"

#include "base/text_format.h"

#include <cmath>
#include <cstdio>

namespace hs {
namespace {

std::string shown(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

std::string shown(const Json& json)
{
    if (json.is_array())
        return "a list of " + formatCount(static_cast<std::int64_t>(json.size()));
    if (json.is_object())
        return "an object";
    if (json.is_binary())
        return "an array of " + formatCount(static_cast<std::int64_t>(json.get_binary().size())) + " bytes";
    return shortened(json.dump(-1, ' ', false, Json::error_handler_t::replace), 40);
}

}  // namespace

JsonReader::JsonReader(const Json& json, std::string source, std::string remedy)
    : m_json(&json), m_origin(std::make_shared<Origin>(Origin{std::move(source), std::move(remedy)}))
{
}

JsonReader::JsonReader(const Json* json, std::shared_ptr<const Origin> origin, std::string place)
    : m_json(json), m_origin(std::move(origin)), m_place(std::move(place))
{
}

const Json& JsonReader::json() const
{
    if (!m_json)
        say(" lacks \"" + shortened(m_place) + "\"");
    return *m_json;
}

JsonReader JsonReader::operator[](const FieldName& name) const
{
    if (!*this && !m_place.empty())
        return {nullptr, m_origin, m_place};  // the object is reported as absent
    if (!json().is_object())
        refuse("an object in braces");
    const char* spelling = name.spellings().front();
    const Json* found = nullptr;
    for (const char* const each : name.spellings())
        if (const auto field = each ? m_json->find(each) : m_json->end();
            field != m_json->end() && (!found || found->is_null())) {
            spelling = each;
            found = &*field;
        }
    return {found, m_origin, m_place.empty() ? spelling : m_place + '.' + spelling};
}

JsonReader JsonReader::operator[](std::size_t index) const
{
    const Json* const item = index < list().size() ? &list()[index] : nullptr;
    return {item, m_origin, m_place + '[' + std::to_string(index) + ']'};
}

JsonReader::Items JsonReader::items() const
{
    return {*this, list().size()};
}

JsonReader::Items JsonReader::items(std::size_t count) const
{
    if (list().size() != count)
        refuse("a list of " + formatCount(static_cast<std::int64_t>(count)));
    return {*this, count};
}

int JsonReader::integer(int least, int most, std::optional<int> otherwise) const
{
    if (!*this && otherwise)
        return *otherwise;
    // Some programs write whole numbers as 32.0.
    const double value = json().is_number() ? m_json->get<double>() : NAN;
    if (!(value >= least && value <= most) || value != std::floor(value))
        refuse("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return static_cast<int>(value);
}

double JsonReader::number(double least, double most, std::optional<double> otherwise) const
{
    if (!*this && otherwise)
        return *otherwise;
    const double value = json().is_number() ? m_json->get<double>() : NAN;
    if (!(value >= least && value <= most))
        refuse(least == -kLargest && most == kLargest
                   ? "a number"
                   : "a number from " + shown(least) + " to " + shown(most));
    return value;
}

bool JsonReader::flag(std::optional<bool> otherwise) const
{
    if (!*this && otherwise)
        return *otherwise;
    if (!json().is_boolean())
        refuse("true or false");
    return m_json->get<bool>();
}

std::string JsonReader::text(std::optional<std::string> otherwise) const
{
    if (!*this && otherwise)
        return *std::move(otherwise);
    if (!json().is_string())
        refuse("a text in quotation marks");
    return m_json->get<std::string>();
}

double JsonReader::numberOrNaN() const
{
    return json().is_null() ? NAN : number();
}

void JsonReader::refuse(const std::string& expected) const
{
    bad("should be " + expected + ", not " + shown(json()));
}

void JsonReader::bad(const std::string& what) const
{
    say((m_place.empty() ? " " : ": \"" + shortened(m_place) + "\" ") + what);
}

const Json& JsonReader::list() const
{
    if (!json().is_array())
        refuse("a list in brackets");
    return *m_json;
}

void JsonReader::say(const std::string& sentence) const
{
    fail(ErrorCode::BadFile, m_origin->source + sentence + "; " + m_origin->remedy + ".");
}

}  // namespace hs
