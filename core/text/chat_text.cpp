#include "text/chat_text.h"

#include "base/failure.h"
#include "text/unicode_data.h"
#include "text/utf8.h"

#include <algorithm>

namespace hs::text {
namespace {

using SystemPlace = ChatTemplate::SystemPlace;
using ChatPieces = std::vector<ChatText::Piece>;

constexpr std::string_view kThoughtsBegin = "<think>";
constexpr std::string_view kThoughtsEnd = "</think>";

/// White space as Python has it, since templates trim with Python's functions.
bool isPythonSpace(char32_t code)
{
    return isWhitespace(code) || (code >= 0x1C && code <= 0x1F);
}

void trimFront(std::string& text)
{
    std::size_t kept = 0;
    for (std::size_t next = 0; next < text.size() && isPythonSpace(nextCodePoint(text, next));)
        kept = next;
    text.erase(0, kept);
}

void trimBack(std::string& text)
{
    while (!text.empty() && isPythonSpace(codePointBefore(text, text.size()))) {
        while (isContinuation(text.back()))
            text.pop_back();
        text.pop_back();
    }
}

/// Trims pieces as if they were one text.
void trim(ChatPieces& pieces)
{
    for (auto piece = pieces.begin(); piece != pieces.end(); ++piece)
        if (trimFront(piece->text); !piece->text.empty())
            break;
    for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece)
        if (trimBack(piece->text); !piece->text.empty())
            break;
}

std::string withoutLineEnds(std::string_view text, bool atFront, bool atBack)
{
    while (atFront && text.starts_with('\n'))
        text.remove_prefix(1);
    while (atBack && text.ends_with('\n'))
        text.remove_suffix(1);
    return std::string(text);
}

/// One chat on its way into a template.
class ChatWriter {
public:
    ChatWriter(const Chat& chat, const ChatTemplate& form) : m_chat(chat), m_form(form)
    {
        const std::vector<ChatMessage>& all = chat.messages;
        if (!all.empty() && all.front().role == ChatRole::System)
            m_system = all.front().content;
        m_turns = std::span(all).subspan(m_system ? 1 : 0);
        require();
    }

    ChatText write(bool hasBegin)
    {
        if (hasBegin)
            add(m_form.begin, TokenRole::Begin);
        if (m_form.systemPlace == SystemPlace::Turn) {
            if (!m_system && m_form.defaultSystem)
                m_system = std::string(*m_form.defaultSystem);
            if (m_system)
                addTurn(m_form.system, {{*m_system, TokenRole::System}}, m_form.system.trims);
        }
        for (std::size_t index = 0; index < m_turns.size(); ++index)
            addMessage(index);
        const bool isAnswered = !m_turns.empty() && m_turns.back().role == ChatRole::Assistant;
        m_message += isAnswered ? 0 : 1;
        add(isAnswered ? m_form.end : m_form.answer, TokenRole::Frame);
        return std::move(m_text);
    }

private:
    std::string name() const { return "The chat template " + std::string(m_form.name); }

    void require() const
    {
        if (m_chat.messages.empty())
            fail(ErrorCode::BadRequest, "The chat has no messages; give at least one of the user.");
        for (std::size_t index = 0; index < m_turns.size(); ++index)
            if (m_turns[index].role == ChatRole::System)
                fail(ErrorCode::BadRequest,
                     m_system ? "The chat has two system messages; join them into the first one."
                              : "The system message comes after other messages; put it first.");
        if (m_system && m_form.systemPlace == SystemPlace::None)
            fail(ErrorCode::BadRequest,
                 name() + " has no place for a system message; put its text into the user's first message.");
        if (!m_form.alternates)
            return;
        if (m_turns.empty())
            fail(ErrorCode::BadRequest,
                 name() + " needs a message of the user beside the system message; add one.");
        for (std::size_t index = 0; index < m_turns.size(); ++index)
            if ((m_turns[index].role == ChatRole::User) != (index % 2 == 0))
                fail(ErrorCode::BadRequest,
                     name() + " takes user and assistant in turn, the user first, but message " +
                         std::to_string(index + (m_system ? 2 : 1)) + " is the " +
                         (index % 2 == 0 ? "assistant's" : "user's") + "; join or reorder messages.");
    }

    void add(std::string_view text, TokenRole role)
    {
        if (!text.empty())
            m_text.pieces.push_back({std::string(text), role, m_message});
    }

    void addTurn(const ChatTemplate::Frame& frame, ChatPieces inside, bool trims)
    {
        std::string before(frame.before);
        if (const std::size_t mark = before.find(kDateMark); mark != std::string::npos)
            before.replace(mark, kDateMark.size(), m_chat.date.empty() ? kDefaultDate : m_chat.date);
        ++m_message;
        add(before, TokenRole::Frame);
        if (trims)
            trim(inside);
        for (const ChatText::Piece& piece : inside)
            add(piece.text, piece.role);
        add(frame.after, TokenRole::Frame);
    }

    void addMessage(std::size_t index)
    {
        const ChatMessage& message = m_turns[index];
        if (message.role == ChatRole::User) {
            addTurn(m_form.user, folded(index), m_form.user.trims && m_form.trimsFolded);
            return;
        }
        ChatPieces inside = {{message.content, TokenRole::Assistant}};
        addTurn(m_form.assistant, m_form.thinks ? withThoughts(index) : inside, m_form.assistant.trims);
        if (index + 1 < m_turns.size())
            add(m_form.between, TokenRole::Frame);
    }

    /// A message of the user, with the system message in it if this is its place.
    ChatPieces folded(std::size_t index)
    {
        ChatPieces own = {{m_turns[index].content, TokenRole::User}};
        if (m_form.user.trims && !m_form.trimsFolded)
            trim(own);
        const bool isPlace =
            m_form.systemPlace == SystemPlace::FirstUser
                ? index == 0
                : m_form.systemPlace == SystemPlace::LastMessage && index + 1 == m_turns.size();
        if (!m_system || !isPlace)
            return own;
        ChatPieces all = {{std::string(m_form.system.before), TokenRole::Frame},
                          {*m_system, TokenRole::System},
                          {std::string(m_form.system.after), TokenRole::Frame}};
        all.insert(all.end(), own.begin(), own.end());
        return all;
    }

    /// An answer with its thoughts, which are kept after the user's last message only. The last answer has a place for
    /// them even if it has none.
    ChatPieces withThoughts(std::size_t index) const
    {
        std::string thoughts;
        std::string answer = m_turns[index].content;
        if (const std::size_t end = answer.find(kThoughtsEnd); end != std::string::npos) {
            thoughts = withoutLineEnds(std::string_view(answer).substr(0, end), false, true);
            if (const std::size_t begin = thoughts.rfind(kThoughtsBegin); begin != std::string::npos)
                thoughts.erase(0, begin + kThoughtsBegin.size());
            thoughts = withoutLineEnds(thoughts, true, true);
            answer =
                withoutLineEnds(answer.substr(answer.rfind(kThoughtsEnd) + kThoughtsEnd.size()), true, false);
        }
        const auto users = std::ranges::count(m_turns, ChatRole::User, &ChatMessage::role);
        const auto after = std::ranges::count(m_turns.subspan(index), ChatRole::User, &ChatMessage::role);
        const bool isLast = index + 1 == m_turns.size();
        if (users == 0 || after > 0 || (!isLast && thoughts.empty()))
            return {{answer, TokenRole::Assistant}};
        return {{std::string(kThoughtsBegin) + "\n", TokenRole::Frame},
                {thoughts, TokenRole::Assistant},
                {"\n" + std::string(kThoughtsEnd) + "\n\n", TokenRole::Frame},
                {withoutLineEnds(answer, true, false), TokenRole::Assistant}};
    }

    const Chat& m_chat;
    const ChatTemplate& m_form;
    std::optional<std::string> m_system;
    std::span<const ChatMessage> m_turns;  // without the system message
    ChatText m_text;
    int m_message = -1;  // that pieces belong to by now
};

}  // namespace

std::string ChatText::text() const
{
    std::string text;
    for (const Piece& piece : pieces)
        text += piece.text;
    return text;
}

ChatText chatText(const Chat& chat, const ChatTemplate& form, bool hasBegin)
{
    ChatText text = ChatWriter(chat, form).write(hasBegin);
    const bool hasSystem = chat.messages.front().role == ChatRole::System;
    if (hasSystem && form.systemPlace == SystemPlace::LastMessage &&
        chat.messages.back().role != ChatRole::User)
        text.notes.push_back("The system message is left out: the chat template " + std::string(form.name) +
                             " puts it into the last message, and only if that is the user's.");
    return text;
}

}  // namespace hs::text
