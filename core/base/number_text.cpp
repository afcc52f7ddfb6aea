#include "base/number_text.h"

#include <array>
#include <charconv>

namespace hs {

std::string numberText(double value)
{
    std::array<char, 32> digits;
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return std::string(digits.data(), written.ptr);
}

}  // namespace hs
