#pragma once

#include "base/enum_words.h"
#include "base/json_reader.h"
#include "base/side.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hs::remote {

// What a window and the program that opened it say to each other, over a socket that only the two have. A message is
// JSON behind its length (u32, little endian). Both begin with {"protocol": 1}. Then the opener asks,
// {"id": 7, "do": "ablate", ...}, and the window answers each in turn, {"id": 7, "value": ...} or
// {"id": 7, "problem": "a sentence"}, and tells what the user does, {"event": "selection", "value": ...}.

constexpr int kWindowProtocol = 1;
constexpr std::size_t kLargestQuestion = 1 << 20;  // bytes
constexpr std::size_t kLargestAnswer = 64 << 20;

/// A message as it is sent. Throws Failure if it is longer than an answer may be.
std::string windowFrame(const Json& message);

/// Questions from bytes that come in any pieces. One that breaks a rule throws Failure, and the link has to be closed:
/// what follows cannot be trusted.
class WindowMessages {
public:
    void add(std::string_view bytes) { m_bytes += bytes; }
    /// The next whole message.
    std::optional<Json> next();

private:
    std::string m_bytes;  // that are not read yet
};

enum class WindowAction {
    Prompt,
    SetPrompt,
    Ablations,
    Ablate,        // more than what is ablated
    SetAblations,  // instead of what is ablated
    Selection,
    Select,
    Hover,
    Screenshot,
    Session,
    Close,
};

constexpr auto enumWords(WindowAction)
{
    using Action = WindowAction;
    return std::to_array<EnumWord<Action>>({{Action::Prompt, "prompt"},
                                            {Action::SetPrompt, "set-prompt"},
                                            {Action::Ablations, "ablations"},
                                            {Action::Ablate, "ablate"},
                                            {Action::SetAblations, "set-ablations"},
                                            {Action::Selection, "selection"},
                                            {Action::Select, "select"},
                                            {Action::Hover, "hover"},
                                            {Action::Screenshot, "screenshot"},
                                            {Action::Session, "session"},
                                            {Action::Close, "close"}});
}

/// Python's names of the sides.
constexpr const char* nameOf(Side side)
{
    return side == Side::Left ? "dense" : "sparse";
}

struct WindowQuestion {
    WindowAction action = WindowAction::Prompt;
    std::string text = {};                // SetPrompt
    std::string tokens = {};              // SetPrompt: "1,2,3", instead of a text; empty: the text
    std::vector<std::string> heads = {};  // of Select and ablations, as --ablate takes them
    std::optional<Side> side = {};        // of ablations; none: both
};

/// Throws Failure if the other end speaks another protocol.
void requireSameWindowProtocol(const Json& hello);

/// Which question it is; the answer carries the number. Throws Failure.
int questionNumber(const Json& message);

/// Reads a question. Throws Failure.
WindowQuestion questionFrom(const Json& message);

}  // namespace hs::remote
