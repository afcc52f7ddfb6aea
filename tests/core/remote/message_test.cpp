#include "remote/message.h"

#include "remote/outbox.h"
#include "support/catch.h"
#include "support/refusals.h"

#include <algorithm>

using namespace hs;
using namespace hs::remote;

namespace {

Tree noiseTree(std::size_t count)
{
    std::vector<std::uint8_t> bytes(count);
    std::uint32_t state = 1;
    for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    return arrayOf(bytes);
}

std::string joined(const Packed& message)
{
    std::string bytes;
    for (const std::string& frame : message.frames)
        bytes += frame;
    return bytes;
}

std::vector<Message> readAll(End end, const std::string& bytes)
{
    MessageReader reader(end);
    reader.add(bytes);
    std::vector<Message> messages;
    while (auto message = reader.next())
        messages.push_back(std::move(*message));
    return messages;
}

std::string refusalOfBytes(End end, const std::string& bytes)
{
    return test::refusalOf([&] { readAll(end, bytes); });
}

std::string withTotal(std::uint32_t total, const std::string& body)
{
    return std::string(reinterpret_cast<const char*>(&total), 4) + body;
}

/// What an outbox sends until it has nothing more, by kind and request.
std::string drain(Outbox& outbox)
{
    std::string all;
    for (std::string bytes = outbox.next(); !bytes.empty(); bytes = outbox.next())
        all += bytes;
    return all;
}

std::vector<Frame> framesOf(const std::string& bytes)
{
    FrameReader reader;
    reader.add(bytes);
    std::vector<Frame> frames;
    while (auto frame = reader.next())
        frames.push_back(std::move(*frame));
    return frames;
}

}  // namespace

TEST_CASE("a message goes over as many frames as it needs, and those of others may be between them")
{
    const Tree large = noiseTree(1'000'000);
    const PackedPtr part = pack(Kind::Part, 1, large), done = pack(Kind::Done, 2, {{"a", 1}});
    CHECK(part->frames.size() == 4);
    std::string bytes = part->frames[0] + joined(*done);
    for (std::size_t frame = 1; frame < 4; ++frame)
        bytes += part->frames[frame];
    const std::vector<Message> messages = readAll(End::Client, bytes);
    REQUIRE(messages.size() == 2);
    CHECK((messages[0].kind == Kind::Done && messages[0].request == 2));
    CHECK(messages[0].tree == Tree{{"a", 1}});
    CHECK(messages[1].tree == large);
    CHECK(messages[1].wireBytes == part->bytes);
}

TEST_CASE("an end of an answer lets go of what was left unsent of it")
{
    const PackedPtr part = pack(Kind::Part, 1, noiseTree(600'000));
    std::string bytes = part->frames[0] + joined(*pack(Kind::Failed, 1, toTree(Error{})));
    bytes += joined(*pack(Kind::Part, 1, 5));
    const std::vector<Message> messages = readAll(End::Client, bytes);
    REQUIRE(messages.size() == 2);
    CHECK(messages[1].tree == 5);
}

TEST_CASE("a message's length is checked when its first frame comes, and kept to")
{
    const auto refused = [](Kind kind, const std::string& body, bool isLast) {
        return refusalOfBytes(End::Client, makeFrame(kind, 1, body, isLast));
    };
    CHECK(refused(Kind::Part, withTotal(256u << 20, "x"), false).empty());
    CHECK_FALSE(refused(Kind::Part, withTotal((256u << 20) + 1, "x"), false).empty());
    CHECK_FALSE(refused(Kind::Failed, withTotal((1u << 20) + 1, "x"), false).empty());
    CHECK_FALSE(refused(Kind::Part, "abc", false).empty());
    CHECK_FALSE(refused(Kind::Part, withTotal(2, "\xf6"), true).empty());
    CHECK_FALSE(refused(Kind::Part, withTotal(1, "\xf6\xf6"), false).empty());
    CHECK(refused(Kind::Part, withTotal(1, "\xf6"), true).empty());
}

TEST_CASE("many unfinished messages cannot hold more than two large ones may")
{
    std::string bytes;
    for (std::uint32_t request = 1; request <= 2; ++request)
        bytes += makeFrame(Kind::Part, request, withTotal(256u << 20, "x"), false);
    CHECK(refusalOfBytes(End::Client, bytes).empty());
    CHECK_FALSE(
        refusalOfBytes(End::Client, bytes + makeFrame(Kind::Part, 3, withTotal(9, "x"), false)).empty());
    bytes.clear();
    for (std::uint32_t request = 1; request <= 256; ++request)
        bytes += makeFrame(Kind::Part, request, withTotal(9, "x"), false);
    CHECK(refusalOfBytes(End::Client, bytes).empty());
    CHECK_FALSE(
        refusalOfBytes(End::Client, bytes + makeFrame(Kind::Part, 999, withTotal(9, "x"), false)).empty());
}

TEST_CASE("each end takes only what the other one says")
{
    for (const Kind kind : {Kind::Request, Kind::Cancel, Kind::Release, Kind::Credit}) {
        CHECK_FALSE(refusalOfBytes(End::Client, joined(*pack(kind, 1, nullptr))).empty());
        CHECK(refusalOfBytes(End::Daemon, joined(*pack(kind, 1, nullptr))).empty());
    }
    for (const Kind kind : {Kind::Part, Kind::Done, Kind::Failed, Kind::Progress}) {
        CHECK_FALSE(refusalOfBytes(End::Daemon, joined(*pack(kind, 1, nullptr))).empty());
        CHECK(refusalOfBytes(End::Client, joined(*pack(kind, 1, nullptr))).empty());
    }
}

TEST_CASE("errors arrive as they were")
{
    const Error error{ErrorCode::TooLarge, "It is too large; ask for less.", "detail"};
    CHECK(errorFrom(toTree(error)) == error);
    CHECK(errorFrom({{"code", 999}, {"message", "New."}}) == Error{ErrorCode::Internal, "New.", ""});
}

TEST_CASE("small messages overtake large ones, large ones take turns, and a request's own keep their order")
{
    Outbox outbox(SIZE_MAX / 2);
    outbox.add(pack(Kind::Part, 1, noiseTree(600'000)));
    outbox.add(pack(Kind::Part, 2, noiseTree(600'000)));
    outbox.add(pack(Kind::Done, 1, nullptr));
    outbox.add(pack(Kind::Done, 3, nullptr));
    outbox.add(pack(Kind::Progress, 1, nullptr));
    std::string order;
    for (const Frame& frame : framesOf(drain(outbox)))
        order += (frame.kind == Kind::Part   ? "p"
                  : frame.kind == Kind::Done ? "d"
                                             : "g") +
                 std::to_string(frame.request) + " ";
    CHECK(order == "d3 g1 p1 p2 p1 p2 p1 p2 d1 ");
}

TEST_CASE("answers wait for credit, and nothing else does")
{
    Outbox outbox(300'000);
    outbox.add(pack(Kind::Part, 1, noiseTree(2'000'000)));
    const std::size_t first = drain(outbox).size();
    CHECK(first > 300'000);
    CHECK(first < 600'000);  // the frame that used up the credit is sent whole
    CHECK(outbox.next().empty());
    outbox.add(pack(Kind::Done, 2, nullptr));
    CHECK(outbox.next().empty());
    outbox.add(pack(Kind::Failed, 3, nullptr));
    outbox.add(pack(Kind::Beat, 0, 5));
    CHECK(framesOf(drain(outbox)).size() == 2);
    outbox.grant(10'000'000);
    const std::vector<Frame> rest = framesOf(drain(outbox));
    CHECK(rest.back().kind == Kind::Part);
    CHECK(std::ranges::count(rest, Kind::Done, &Frame::kind) == 1);
}

TEST_CASE("what is dropped is not sent, and the rest of a burst is passed on by whole lines")
{
    Outbox outbox(SIZE_MAX / 2);
    outbox.add(pack(Kind::Part, 1, noiseTree(1'000'000)));
    outbox.add(pack(Kind::Part, 2, noiseTree(300'000)));
    CHECK(framesOf(outbox.next()).size() == 1);
    CHECK(outbox.drop(1));
    CHECK_FALSE(outbox.drop(1));
    const std::string rest = drain(outbox);
    CHECK(rest.ends_with('\n'));
    for (const Frame& frame : framesOf(rest))
        CHECK(frame.request == 2);
    CHECK(outbox.next().empty());
}
