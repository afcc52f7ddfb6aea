#pragma once

#include "base/enum_words.h"
#include "base/result.h"
#include "text/tokenizer.h"

#include <string>
#include <string_view>
#include <vector>

namespace hs::text {

enum class ChatRole { System, User, Assistant };

constexpr auto enumWords(ChatRole)
{
    return std::to_array<EnumWord<ChatRole>>(
        {{ChatRole::System, "system"}, {ChatRole::User, "user"}, {ChatRole::Assistant, "assistant"}});
}

struct ChatMessage {
    ChatRole role = ChatRole::User;
    std::string content;

    friend bool operator==(const ChatMessage&, const ChatMessage&) = default;
};

/// Messages of a conversation, and how they are to become a text.
struct Chat {
    std::vector<ChatMessage> messages;
    std::string templateName;  // empty: the model's own, recognised in its files
    std::string date;          // for templates that say one; empty: the one they say where none is given

    friend bool operator==(const Chat&, const Chat&) = default;
};

/// Reads [{"role", "content"}, …], or {"messages": […], "template", "date"}. `source` names it in errors.
Result<Chat> parseChat(std::string_view json, const std::string& source);

/// What parseChat reads as the same chat.
std::string chatJson(const Chat& chat);

/// The user's last message; null: none.
ChatMessage* lastOfUser(Chat& chat);

/// A prompt for people: a text as it is, of a chat its messages.
std::string promptWords(const std::string& prompt, bool isChat);

}  // namespace hs::text
