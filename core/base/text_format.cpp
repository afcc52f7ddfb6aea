#include "base/text_format.h"

#include <array>
#include <cstdio>

namespace hs {

std::string formatBytes(std::uint64_t bytes)
{
    static constexpr std::array kUnits = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < kUnits.size()) {
        value /= 1000;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text, unit > 0 && value < 9.95 ? "%.1f %s" : "%.0f %s", value, kUnits[unit]);
    return text;
}

std::string formatCount(std::int64_t count)
{
    std::string digits = std::to_string(count);
    const std::size_t first = count < 0 ? 1 : 0;
    for (std::size_t i = digits.size(); i > first + 3;)
        digits.insert(i -= 3, ",");
    return digits;
}

std::string shortNumber(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, value < 100 ? "%.3g" : "%.0f", value);
    return text;
}

std::string formatShape(std::span<const std::int64_t> shape)
{
    std::string text = "[";
    for (const std::int64_t extent : shape)
        text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
    return text + "]";
}

std::string shortened(std::string_view text, std::size_t mostBytes)
{
    const auto continuesCharacter = [&](std::size_t at) {
        return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
    };
    if (text.size() <= mostBytes)
        return std::string(text);
    while (mostBytes > 0 && continuesCharacter(mostBytes))
        --mostBytes;
    return std::string(text.substr(0, mostBytes)) + "…";
}

}  // namespace hs
