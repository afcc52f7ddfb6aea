#include "text/chat.h"

#include "base/failure.h"
#include "base/json_reader.h"
#include "base/text_format.h"

#include <algorithm>

namespace hs::text {
namespace {

constexpr std::size_t kLargestChat = 64u << 20;  // bytes

}  // namespace

Result<Chat> parseChat(std::string_view json, const std::string& source)
{
    return guarded([&] {
        if (json.size() > kLargestChat)
            fail(ErrorCode::BadFile, source + " is " + formatBytes(json.size()) +
                                         ", too large for a chat; shorten it to " +
                                         formatBytes(kLargestChat) + ".");
        const Json tree = parseJson(json, source);
        const JsonReader reader(tree, source, "correct it");
        const JsonReader messages = tree.is_array() ? reader : reader["messages"];
        Chat chat;
        for (const JsonReader& message : messages.items())
            chat.messages.push_back({message["role"].word<ChatRole>(), message["content"].text()});
        if (tree.is_object()) {
            chat.templateName = reader["template"].text("");
            chat.date = reader["date"].text("");
        }
        return chat;
    });
}

std::string chatJson(const Chat& chat)
{
    nlohmann::ordered_json messages = nlohmann::ordered_json::array();
    for (const ChatMessage& message : chat.messages)
        messages.push_back({{"role", wordOf(message.role)}, {"content", message.content}});
    if (chat.templateName.empty() && chat.date.empty())
        return messages.dump();
    nlohmann::ordered_json json;
    if (!chat.templateName.empty())
        json["template"] = chat.templateName;
    if (!chat.date.empty())
        json["date"] = chat.date;
    json["messages"] = std::move(messages);
    return json.dump();
}

ChatMessage* lastOfUser(Chat& chat)
{
    const auto last =
        std::ranges::find(chat.messages.rbegin(), chat.messages.rend(), ChatRole::User, &ChatMessage::role);
    return last == chat.messages.rend() ? nullptr : &*last;
}

std::string promptWords(const std::string& prompt, bool isChat)
{
    const Result<Chat> chat = isChat ? parseChat(prompt, "The chat") : Chat();
    if (!isChat || !chat)
        return prompt;
    std::string words;
    for (const ChatMessage& message : chat->messages)
        words += (words.empty() ? "" : " ") + std::string(wordOf(message.role)) + ": " + message.content;
    return words;
}

}  // namespace hs::text
