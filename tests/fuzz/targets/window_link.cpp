#include "fuzz/target.h"

#include "base/failure.h"
#include "remote/window_messages.h"

#include <algorithm>

namespace hs::fuzz {
namespace {

using namespace remote;

/// What a window makes of it: the messages, or what ends the link.
struct Heard {
    std::vector<Json> messages;
    std::optional<Error> end;
};

Heard hear(std::string_view input, std::size_t piece)
{
    Heard heard;
    WindowMessages messages;
    const Result<int> done = guarded([&] {
        for (std::size_t at = 0; at < input.size(); at += piece) {
            messages.add(input.substr(at, piece));
            while (auto message = messages.next())
                heard.messages.push_back(std::move(*message));
        }
        return 0;
    });
    if (!done)
        heard.end = done.error();
    return heard;
}

void checkQuestion(const Json& message)
{
    const Result<int> number = guarded([&] { return questionNumber(message); });
    if (!number)
        return requireRefusal(number.error());
    require(*number >= 0, "questions have numbers from 0 on");
    const Result<WindowQuestion> question = guarded([&] { return questionFrom(message); });
    if (!question)
        return requireRefusal(question.error());
    require(!wordOf(question->action).empty(), "a question is one of those that there are");
    require(question->text.size() <= kLargestQuestion, "a question is no longer than its message");
}

void check(std::string_view input)
{
    const Heard heard = hear(input, std::max<std::size_t>(input.size(), 1));
    const Heard again = hear(input, 3);
    require(heard.messages == again.messages && heard.end == again.end,
            "it does not matter how bytes are cut");
    if (heard.end)
        requireRefusal(*heard.end);
    if (!heard.messages.empty())
        if (const Result<int> hello = guarded([&] {
                requireSameWindowProtocol(heard.messages.front());
                return 0;
            });
            !hello)
            requireRefusal(hello.error());
    for (const Json& message : heard.messages) {
        checkQuestion(message);
        WindowMessages echo;
        echo.add(windowFrame(message));
        // What JSON cannot hold is replaced, so that its length may differ.
        require(windowFrame(message).size() > kLargestQuestion || echo.next().has_value(),
                "what is sent can be read");
    }
}

const Target kTarget("window_link", check);

}  // namespace
}  // namespace hs::fuzz
