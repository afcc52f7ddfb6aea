#include "remote/window_messages.h"

#include "base/failure.h"
#include "base/text_format.h"

#include <cstdint>
#include <limits>

namespace hs::remote {
namespace {

constexpr std::size_t kMostHeads = 100'000;
constexpr std::size_t kPrefix = sizeof(std::uint32_t);  // before each message

JsonReader fieldsOf(const Json& message)
{
    return {message, "A message to the window", "use the Python package and the program of the same version"};
}

std::uint32_t lengthOf(std::string_view bytes)
{
    std::uint32_t length = 0;
    for (std::size_t at = kPrefix; at-- > 0;)
        length = length << 8 | static_cast<unsigned char>(bytes[at]);
    return length;
}

std::vector<std::string> headsIn(const JsonReader& list)
{
    if (list.list().size() > kMostHeads)
        list.bad("has more than " + std::to_string(kMostHeads) + " items");
    std::vector<std::string> heads;
    for (const JsonReader item : list.items())
        heads.push_back(item.text());
    return heads;
}

std::optional<Side> sideIn(const JsonReader& name)
{
    if (!name)
        return std::nullopt;
    for (const Side side : kSides)
        if (name.text() == nameOf(side))
            return side;
    name.refuse("\"dense\" or \"sparse\"");
}

}  // namespace

std::string windowFrame(const Json& message)
{
    const std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > kLargestAnswer)
        fail(ErrorCode::TooLarge, "The answer of the window has " + formatBytes(text.size()) +
                                      ", and at most " + formatBytes(kLargestAnswer) +
                                      " are passed on; save it from the window instead.");
    std::string frame;
    for (std::size_t at = 0; at < kPrefix; ++at)
        frame += static_cast<char>(text.size() >> 8 * at & 0xff);
    return frame + text;
}

std::optional<Json> WindowMessages::next()
{
    if (m_bytes.size() < kPrefix)
        return std::nullopt;
    const std::size_t length = lengthOf(m_bytes);
    if (length > kLargestQuestion)
        fail(ErrorCode::TooLarge, "A message to the window has " + formatBytes(length) + ", and at most " +
                                      formatBytes(kLargestQuestion) + " are read; send less at a time.");
    if (m_bytes.size() - kPrefix < length)
        return std::nullopt;
    const std::string text = m_bytes.substr(kPrefix, length);
    m_bytes.erase(0, kPrefix + length);
    return parseJson(text, "A message to the window");
}

void requireSameWindowProtocol(const Json& hello)
{
    const int theirs = fieldsOf(hello)["protocol"].integer(0, std::numeric_limits<int>::max());
    if (theirs != kWindowProtocol)
        fail(ErrorCode::Unsupported, "The Python package speaks protocol " + std::to_string(theirs) +
                                         " to windows, and this program " + std::to_string(kWindowProtocol) +
                                         "; install both in the same version.");
}

int questionNumber(const Json& message)
{
    return fieldsOf(message)["id"].integer(0, std::numeric_limits<int>::max());
}

WindowQuestion questionFrom(const Json& message)
{
    const JsonReader fields = fieldsOf(message);
    WindowQuestion question;
    question.action = fields["do"].word<WindowAction>();
    switch (question.action) {
    case WindowAction::SetPrompt:
        question.text = fields["text"].text("");
        question.tokens = fields["tokens"].text("");
        break;
    case WindowAction::Ablate:
    case WindowAction::SetAblations: question.side = sideIn(fields["side"]); [[fallthrough]];
    case WindowAction::Select: question.heads = headsIn(fields["heads"]); break;
    default: break;
    }
    return question;
}

}  // namespace hs::remote
