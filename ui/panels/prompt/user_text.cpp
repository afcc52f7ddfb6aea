#include "panels/prompt/user_text.h"

#include "text/chat.h"

namespace hs::panels {

QString userText(const control::Prompt& prompt)
{
    if (!prompt.isChat)
        return prompt.text;
    Result<text::Chat> chat = text::parseChat(prompt.text.toStdString(), "The chat");
    const text::ChatMessage* const last = chat ? text::lastOfUser(*chat) : nullptr;
    return last ? QString::fromStdString(last->content) : QString();
}

control::Prompt withUserText(control::Prompt prompt, const QString& text)
{
    prompt.tokenIds.clear();
    if (!prompt.isChat) {
        prompt.text = text;
        return prompt;
    }
    Result<text::Chat> chat = text::parseChat(prompt.text.toStdString(), "The chat");
    if (text::ChatMessage* const last = chat ? text::lastOfUser(*chat) : nullptr) {
        last->content = text.toStdString();
        prompt.text = QString::fromStdString(text::chatJson(*chat));
    }
    return prompt;
}

}  // namespace hs::panels
