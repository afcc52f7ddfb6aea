#include "engine/request/adapter_choice.h"

#include "base/failure.h"
#include "base/number_text.h"

#include <charconv>
#include <cmath>

namespace hs::engine {

Result<AdapterChoice> parseAdapterChoice(std::string_view text)
{
    return guarded([&] {
        AdapterChoice choice{std::string(text)};
        if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
            const std::string_view number = text.substr(colon + 1);
            const auto [end, problem] =
                std::from_chars(number.data(), number.data() + number.size(), choice.strength);
            if (problem != std::errc() || end != number.data() + number.size() ||
                !std::isfinite(choice.strength))
                fail(ErrorCode::BadRequest, "\"" + std::string(number) + "\" in \"" + std::string(text) +
                                                "\" is no strength of an adapter; give a number, as in "
                                                "ADAPTER:0.5.");
            choice.folder = text.substr(0, colon);
        }
        if (choice.folder.empty())
            fail(ErrorCode::BadRequest,
                 "No adapter is named in \"" + std::string(text) +
                     "\"; give its folder, with a strength behind a colon or without.");
        return choice;
    });
}

std::string toString(const AdapterChoice& choice)
{
    const bool isWhole = choice.strength == 1 && choice.folder.find(':') == std::string::npos;
    return isWhole ? choice.folder : choice.folder + ":" + numberText(choice.strength);
}

}  // namespace hs::engine
