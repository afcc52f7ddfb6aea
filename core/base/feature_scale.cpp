#include "base/feature_scale.h"

#include "base/failure.h"
#include "base/number_text.h"
#include "base/untrusted_text.h"

#include <charconv>
#include <cmath>

namespace hs {
namespace {

template <class Number>
std::optional<Number> wholeNumber(std::string_view text)
{
    Number number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    return code == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string toString(const FeatureScale& scale)
{
    return toString(scale.feature) + (scale.position ? "@" + std::to_string(*scale.position) : "") + "=" +
           numberText(scale.factor);
}

Result<FeatureScale> parseFeatureScale(std::string_view text)
{
    return guarded([&] {
        const auto refuse = [&]() {
            fail(ErrorCode::BadRequest, quotedName(text) +
                                            " scales no feature; write L3F120=0 to switch one off, or "
                                            "L3F120@5=0.5 to halve it at position 5.");
        };
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos)
            refuse();
        const std::optional<double> factor = wholeNumber<double>(text.substr(equals + 1));
        std::string_view name = text.substr(0, equals);
        FeatureScale scale;
        if (const std::size_t at = name.find('@'); at != std::string_view::npos) {
            scale.position = wholeNumber<int>(name.substr(at + 1));
            if (!scale.position || *scale.position < 0)
                refuse();
            name = name.substr(0, at);
        }
        const std::optional<FeatureId> feature = parseFeatureId(name);
        if (!feature || !factor || !std::isfinite(*factor))
            refuse();
        scale.feature = *feature;
        scale.factor = *factor;
        return scale;
    });
}

}  // namespace hs
