#include "remote/window_messages.h"

#include "support/catch.h"
#include "support/refusals.h"

using namespace hs;
using namespace hs::remote;

namespace {

/// A length and what follows it.
std::string framed(std::string_view text, std::size_t length)
{
    std::string frame;
    for (int at = 0; at < 4; ++at)
        frame += static_cast<char>(length >> 8 * at & 0xff);
    return frame.append(text);
}

/// What is read of bytes that come in pieces of that size.
std::vector<Json> read(const std::string& bytes, std::size_t piece)
{
    WindowMessages messages;
    std::vector<Json> read;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        messages.add(std::string_view(bytes).substr(at, piece));
        while (auto message = messages.next())
            read.push_back(std::move(*message));
    }
    return read;
}

WindowQuestion question(const char* json)
{
    return questionFrom(Json::parse(json));
}

}  // namespace

TEST_CASE("messages to a window are read as they were sent, however they are cut")
{
    const std::vector<Json> sent = {{{"protocol", 1}}, {{"id", 7}, {"do", "prompt"}}, "ü", nullptr};
    std::string bytes;
    for (const Json& message : sent)
        bytes += windowFrame(message);
    for (const std::size_t piece : {1, 2, 3, 5, 1000})
        CHECK(read(bytes, piece) == sent);
}

TEST_CASE("a message to a window has a bound that is checked before the message is there")
{
    CHECK(test::isRefused([] { read(framed("", kLargestQuestion + 1), 4); }, "at most"));
    CHECK(test::isRefused([] { read(framed("", 0xffffffff), 1); }, "at most"));
    CHECK(read(framed("", kLargestQuestion), 4).empty());
    const std::string longest(kLargestQuestion - 2, 'a');
    CHECK(read(windowFrame(longest), 4096) == std::vector<Json>{longest});
    CHECK(test::isRefused([] { windowFrame(std::string(kLargestAnswer, 'a')); }, "at most"));
}

TEST_CASE("what is no message to a window is refused with a sentence")
{
    for (const std::string text : {"", "{", "\xff", "{\"id\": 1} more"})
        CHECK(test::isRefused([&] { read(framed(text, text.size()), 4096); }, "is not valid JSON"));
    CHECK(test::isRefused([] { read(framed(std::string(1000, '['), 1000), 4096); }, "nested too deeply"));
}

TEST_CASE("windows talk to the same protocol alone")
{
    CHECK_NOTHROW(requireSameWindowProtocol({{"protocol", kWindowProtocol}, {"more", "words"}}));
    CHECK(test::isRefused([] { requireSameWindowProtocol({{"protocol", 2}}); }, "same version"));
    for (const Json& hello : {Json(), Json::array(), Json{{"protocol", "1"}}, Json{{"id", 1}}})
        CHECK(test::isRefused([&] { requireSameWindowProtocol(hello); }, "A message to the window"));
}

TEST_CASE("a question to a window has a number, an action and what that takes")
{
    CHECK(questionNumber({{"id", 12}}) == 12);
    for (const Json& message : {Json(), Json{{"id", -1}}, Json{{"id", "1"}}, Json{{"id", 1e300}}})
        CHECK(test::isRefused([&] { questionNumber(message); }, "same version"));

    CHECK(question(R"({"do": "set-prompt", "text": "a b"})").text == "a b");
    CHECK(question(R"({"do": "set-prompt", "tokens": "1,2"})").tokens == "1,2");
    const WindowQuestion ablate =
        question(R"({"do": "ablate", "heads": ["L5H1", "L2H*:mean"], "side": "sparse"})");
    CHECK(ablate.heads == std::vector<std::string>{"L5H1", "L2H*:mean"});
    CHECK(ablate.side == Side::Right);
    CHECK(question(R"({"do": "set-ablations", "heads": []})").side == std::nullopt);

    for (const char* const json :
         {R"([])", R"({})", R"({"do": "format"})", R"({"do": 1})", R"({"do": "ablate"})",
          R"({"do": "ablate", "heads": "L5H1"})", R"({"do": "select", "heads": [1]})",
          R"({"do": "ablate", "heads": [], "side": "left"})", R"({"do": "set-prompt", "text": 5})"})
        CHECK(test::isRefused([&] { question(json); }, "same version"));
    const Json many = {{"do", "select"}, {"heads", std::vector<std::string>(100'001, "L0H0")}};
    CHECK(test::isRefused([&] { questionFrom(many); }, "more than"));
}
