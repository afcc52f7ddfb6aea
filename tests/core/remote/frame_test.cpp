#include "remote/frame.h"

#include "support/catch.h"
#include "support/refusals.h"

#include <cstring>

using namespace hs;
using namespace hs::remote;

namespace {

std::string header(std::uint32_t length, std::uint8_t kind, std::uint8_t flags, std::uint16_t zero,
                   std::uint32_t plain)
{
    std::string bytes(kFrameHeader, '\0');
    std::memcpy(bytes.data(), &length, 4);
    bytes[4] = static_cast<char>(kind);
    bytes[5] = static_cast<char>(flags);
    std::memcpy(bytes.data() + 6, &zero, 2);
    std::memcpy(bytes.data() + 12, &plain, 4);
    return bytes;
}

std::string refusalOfBytes(const std::string& bytes)
{
    return test::refusalOf([&] {
        FrameReader reader;
        reader.add(bytes);
        while (reader.next())
            ;
    });
}

/// What follows the word, fed in pieces of so many bytes.
std::optional<std::string> afterWord(const std::string& bytes, std::size_t piece)
{
    WordSearch search(64 << 10);
    for (std::size_t at = 0; at < bytes.size(); at += piece)
        if (auto rest = search.add(std::string_view(bytes).substr(at, piece)))
            return *rest + bytes.substr(std::min(at + piece, bytes.size()));
    return std::nullopt;
}

constexpr std::uint8_t kPart = static_cast<std::uint8_t>(Kind::Part);

}  // namespace

TEST_CASE("the first word is found after up to 64 KiB of other text, however it is cut")
{
    for (const std::size_t noise : {0, 1, 65'535, 65'536})
        for (const std::size_t piece : {1, 7, 8, 4096, 100'000}) {
            INFO(noise << " bytes, in pieces of " << piece);
            const std::string bytes = std::string(noise, '\x89') + std::string(kFirstWord) + "rest";
            CHECK(afterWord(bytes, piece) == "rest");
        }
    for (const std::size_t piece : {1, 4096, 100'000}) {
        const std::string late = std::string(65'537, 'x') + std::string(kFirstWord);
        CHECK(test::isRefused([&] { afterWord(late, piece); }, "other text than HeadScope's"));
    }
    CHECK(afterWord(std::string(60'000, 'x'), 4096) == std::nullopt);
}

TEST_CASE("frames read as they were written, however they are cut")
{
    const std::string packable(100'000, 'a');
    std::string bytes = makeFrame(Kind::Part, 7, packable, false) + makePadding() +
                        makeFrame(Kind::Done, 0xffffffff, "x", true) + makeFrame(Kind::Beat, 0, "", true);
    CHECK(bytes.size() < 2'000);
    for (const std::size_t piece : {std::size_t(1), std::size_t(15), std::size_t(17), bytes.size()}) {
        FrameReader reader;
        std::vector<Frame> frames;
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
            reader.add(std::string_view(bytes).substr(at, piece));
            while (auto frame = reader.next())
                frames.push_back(*frame);
        }
        REQUIRE(frames.size() == 3);
        CHECK((frames[0].kind == Kind::Part && frames[0].request == 7 && !frames[0].isLast));
        CHECK(frames[0].body == packable);
        CHECK((frames[1].request == 0xffffffff && frames[1].isLast && frames[1].body == "x"));
        CHECK(frames[2].body.empty());
        CHECK_FALSE(reader.isAmidFrame());
        CHECK(reader.count() == 4);
    }
}

TEST_CASE("padding ends with a newline, and has one")
{
    CHECK(makePadding().ends_with('\n'));
}

TEST_CASE("a frame of an unknown kind, with unknown marks or too long is refused before its body comes")
{
    CHECK(refusalOfBytes(header(0, 0, 0, 0, 0)).find("unknown kind 0") != std::string::npos);
    CHECK(refusalOfBytes(header(0, 12, 0, 0, 0)).find("unknown kind 12") != std::string::npos);
    CHECK(refusalOfBytes(header(0, kPart, 4, 0, 0)).find("unknown marks") != std::string::npos);
    CHECK(refusalOfBytes(header(0, kPart, 0, 1, 0)).find("unknown marks") != std::string::npos);
    CHECK(refusalOfBytes(header(0xffffffff, kPart, 0, 0, 0xffffffff)).find("4.3 GB where at most 262 kB") !=
          std::string::npos);
    CHECK(refusalOfBytes(header((256 << 10) + 1, kPart, 1, 0, 1)).find("where at most") != std::string::npos);
    CHECK(refusalOfBytes(header(10, kPart, 1, 0, 0xffffffff)).find("where at most") != std::string::npos);
    CHECK(refusalOfBytes(header(10, kPart, 0, 0, 11)).find("another length") != std::string::npos);
    CHECK(refusalOfBytes(header(256 << 10, kPart, 0, 0, 256 << 10)).empty());
}

TEST_CASE("a body that unpacks to more or less than it says is refused")
{
    std::string frame = makeFrame(Kind::Part, 1, std::string(100'000, '\0'), true);
    CHECK(refusalOfBytes(frame).empty());
    for (const std::uint32_t said : {99'999u, 100'001u, 0u}) {
        std::memcpy(frame.data() + 12, &said, 4);
        CHECK(refusalOfBytes(frame).find("cannot be unpacked") != std::string::npos);
    }
}
