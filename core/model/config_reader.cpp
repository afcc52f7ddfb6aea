#include "model/config_reader.h"

#include "base/failure.h"

#include <cmath>
#include <cstdio>

namespace hs {
namespace {

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

[[noreturn]] void refuse(ConfigReader::Keys keys, const Json& found, const std::string& expected)
{
    std::string shown = found.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (shown.size() > 40)
        shown = shown.substr(0, 37) + "...";
    fail(ErrorCode::BadFile, std::string("config.json says ") + *keys.begin() + " = " + shown + ", but " +
                                 expected + " is expected; correct the file or fetch it again.");
}

}  // namespace

ConfigReader::ConfigReader(const Json& config) : m_config(config)
{
    if (!m_config.is_object())
        fail(ErrorCode::BadFile, "config.json does not hold a JSON object; fetch the file again.");
}

const Json* ConfigReader::find(Keys keys) const
{
    for (const char* key : keys)
        if (const auto at = m_config.find(key); at != m_config.end() && !at->is_null())
            return &*at;
    return nullptr;
}

bool ConfigReader::isNull(const char* key) const
{
    const auto at = m_config.find(key);
    return at != m_config.end() && at->is_null();
}

std::optional<int> ConfigReader::optionalInteger(Keys keys, int least, int most) const
{
    const Json* const found = find(keys);
    if (!found)
        return std::nullopt;
    // Some writers give whole numbers as 32.0.
    const double value = found->is_number() ? found->get<double>() : NAN;
    if (!(value >= least && value <= most) || value != std::floor(value))
        refuse(keys, *found, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return static_cast<int>(value);
}

int ConfigReader::integerOr(Keys keys, int least, int most, int fallback) const
{
    return optionalInteger(keys, least, most).value_or(fallback);
}

int ConfigReader::integer(Keys keys, int least, int most) const
{
    const std::optional<int> value = optionalInteger(keys, least, most);
    if (!value)
        fail(ErrorCode::BadFile,
             std::string("config.json has no ") + *keys.begin() + "; add it or fetch the file again.");
    return *value;
}

std::optional<double> ConfigReader::optionalNumber(Keys keys, double least, double most) const
{
    const Json* const found = find(keys);
    if (!found)
        return std::nullopt;
    const double value = found->is_number() ? found->get<double>() : NAN;
    if (!(value >= least && value <= most))
        refuse(keys, *found, "a number from " + number(least) + " to " + number(most));
    return value;
}

double ConfigReader::numberOr(Keys keys, double least, double most, double fallback) const
{
    return optionalNumber(keys, least, most).value_or(fallback);
}

bool ConfigReader::flagOr(Keys keys, bool fallback) const
{
    const Json* const found = find(keys);
    if (!found)
        return fallback;
    if (!found->is_boolean())
        refuse(keys, *found, "true or false");
    return found->get<bool>();
}

std::string ConfigReader::textOr(Keys keys, std::string fallback) const
{
    const Json* const found = find(keys);
    if (!found)
        return fallback;
    if (!found->is_string())
        refuse(keys, *found, "a text");
    return found->get<std::string>();
}

ConfigReader ConfigReader::object(Keys keys) const
{
    static const Json kEmpty = Json::object();
    const Json* const found = find(keys);
    if (found && !found->is_object())
        refuse(keys, *found, "an object");
    return ConfigReader(found ? *found : kEmpty);
}

}  // namespace hs
