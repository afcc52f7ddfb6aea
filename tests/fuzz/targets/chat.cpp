#include "fuzz/target.h"

#include "base/failure.h"
#include "text/chat.h"
#include "text/chat_text.h"

#include <algorithm>

namespace hs::fuzz {
namespace {

void check(std::string_view input)
{
    const text::ChatTemplate* const own = text::recogniseChatTemplate(input);
    require(!own || orThrow(text::chatTemplateNamed(own->name)) == own, "what is recognised has a name");
    const Result<text::Chat> chat = text::parseChat(input, "chat.json");
    if (!chat)
        return requireRefusal(chat.error());
    require(orThrow(text::parseChat(text::chatJson(*chat), "chat.json")) == *chat,
            "a chat reads as it is written");
    for (const text::ChatTemplate& form : text::chatTemplates()) {
        const auto made = guarded([&] { return text::chatText(*chat, form); });
        if (!made) {
            requireRefusal(made.error());
            continue;
        }
        require(made->text().starts_with(form.begin), "the text begins as the template says");
        require(std::ranges::none_of(made->pieces, [](const auto& piece) { return piece.text.empty(); }),
                "no piece is empty");
    }
}

const Target kTarget("chat", check);

}  // namespace
}  // namespace hs::fuzz
