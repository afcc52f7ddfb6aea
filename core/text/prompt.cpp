#include "text/prompt.h"

#include "base/failure.h"
#include "text/chat.h"
#include "text/chat_text.h"

#include <algorithm>

namespace hs::text {
namespace {

const ChatTemplate& templateOf(const Chat& chat, const Tokenizer& tokenizer)
{
    if (!chat.templateName.empty())
        return *orThrow(chatTemplateNamed(chat.templateName));
    if (const ChatTemplate* const own = recogniseChatTemplate(tokenizer.chatTemplate()))
        return *own;
    fail(ErrorCode::NotFound,
         std::string(tokenizer.chatTemplate().empty() ? "This model's files have no chat template"
                                                      : "This model's chat template is not a known one") +
             "; name one with --chat-template or in the chat's \"template\": " + chatTemplateNames() + ".");
}

/// The role of a token that may reach over several pieces: that of most of its bytes, and of a message's rather than of
/// the template's. So is the message.
class PieceRoles {
public:
    explicit PieceRoles(const std::vector<ChatText::Piece>& pieces)
    {
        std::uint64_t end = 0;
        for (const ChatText::Piece& piece : pieces)
            m_ends.push_back({end += piece.text.size(), piece.role, piece.message});
    }

    void tell(Token& token) const
    {
        token.role = TokenRole::Frame;
        std::uint64_t most = 0;
        auto piece = std::ranges::upper_bound(m_ends, token.begin, {}, &End::end);
        for (std::uint64_t at = token.begin; piece != m_ends.end(); at = (piece++)->end) {
            const std::uint64_t bytes = std::min(piece->end, token.end) - at;
            if (bytes > most || (bytes == most && token.role == TokenRole::Frame)) {
                most = bytes;
                token.role = piece->role;
                token.message = piece->message;
            }
            if (piece->end >= token.end)
                break;
        }
    }

private:
    struct End {
        std::uint64_t end;
        TokenRole role;
        int message;
    };

    std::vector<End> m_ends;
};

PromptTokens readChat(const Tokenizer& tokenizer, std::string_view json, bool hasBos)
{
    const Chat chat = orThrow(parseChat(json, "The chat"));
    const ChatTemplate& form = templateOf(chat, tokenizer);
    ChatText text = chatText(chat, form, hasBos);
    PromptTokens prompt{orThrow(tokenizer.tokens(text.text(), /*addSpecial=*/false)), std::move(text.notes)};
    const PieceRoles roles(text.pieces);
    for (Token& token : prompt.tokens)
        roles.tell(token);
    const bool hasBegin = hasBos && !form.begin.empty();
    prompt.notes.insert(
        prompt.notes.begin(),
        "The chat follows the template " + std::string(form.name) + " and begins " +
            (hasBegin ? "with " + std::string(form.begin) + ", once." : "without a begin-of-text token."));
    if (!form.needs.empty() && !tokenizer.idOf(form.needs))
        prompt.notes.push_back("This tokenizer has no token " + std::string(form.needs) +
                               ", so what the template puts around messages is cut like any text; the model "
                               "was not made for it.");
    return prompt;
}

PromptTokens readText(const Tokenizer& tokenizer, std::string_view text, bool hasBos)
{
    PromptTokens prompt{orThrow(tokenizer.tokens(text, hasBos)), {}};
    std::vector<Token>& tokens = prompt.tokens;
    const auto bos = tokenizer.bosId();
    if (bos && tokens.size() > 1 && tokens[0].id == *bos && tokens[0].begin == tokens[0].end &&
        tokens[1].id == *bos) {
        prompt.notes.push_back("The text begins with " + tokens[1].text +
                               " itself, so no other is put before it.");
        tokens.erase(tokens.begin());
    }
    return prompt;
}

}  // namespace

Result<PromptTokens> readPrompt(const Tokenizer& tokenizer, std::string_view prompt, bool isChat, bool hasBos)
{
    return guarded(
        [&] { return isChat ? readChat(tokenizer, prompt, hasBos) : readText(tokenizer, prompt, hasBos); });
}

}  // namespace hs::text
