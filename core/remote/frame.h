#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hs::remote {

/// What a frame is part of. The numbers are those on the wire.
enum class Kind : std::uint8_t {
    Hello = 1,
    Request,
    Part,
    Done,
    Failed,
    Progress,
    Cancel,
    Release,  // the answer has come, or is not wanted; of request 0: nothing is
    Credit,
    Beat,
    Pad,
};

/// Whether it is part of an answer's content, which waits for credit.
constexpr bool isData(Kind kind)
{
    return kind == Kind::Part || kind == Kind::Done;
}

/// The most bytes that a frame of a kind has, packed and unpacked.
constexpr std::size_t largestBody(Kind kind)
{
    return isData(kind) || kind == Kind::Request ? 256 << 10 : 1 << 20;
}

constexpr std::size_t kFrameHeader = 16;

/// What a daemon says before its first frame, made like PNG's: a line that is not 8 bits wide, or that takes
/// it for text, spoils it.
constexpr std::string_view kFirstWord = "\x89HSC\r\n\x1a\n";

struct Frame {
    Kind kind = Kind::Pad;
    bool isLast = false;  // of its message
    std::uint32_t request = 0;
    std::string body;           // unpacked
    std::size_t wireBytes = 0;  // with the header
};

/// The Failure of a line on which `what` came: it cannot be trusted any more.
[[noreturn]] void refuseLine(const std::string& what);

/// A frame as it is sent: a header of 16 bytes, little endian (u32 bytes that follow, u8 kind, u8 flags, u16 zero,
/// u32 request, u32 bytes when unpacked), and the body, packed if that is smaller.
std::string makeFrame(Kind kind, std::uint32_t request, std::string_view body, bool isLast);

/// A frame that says nothing and ends with a newline: what passes on whole lines only passes on what came before.
std::string makePadding();

/// Frames from bytes that come in any pieces. A frame that breaks a rule throws Failure, and the line has to be
/// closed: what follows cannot be trusted.
class FrameReader {
public:
    void add(std::string_view bytes);
    /// The next whole frame that is no padding.
    std::optional<Frame> next();
    bool isAmidFrame() const { return m_at < m_bytes.size(); }
    std::uint64_t count() const { return m_count; }  // frames so far, padding as well

private:
    std::string m_bytes;
    std::size_t m_at = 0;  // where the next frame begins
    std::uint64_t m_count = 0;
};

/// Finds the first word in what login shells say before it.
class WordSearch {
public:
    explicit WordSearch(std::size_t mostNoise) : m_mostNoise(mostNoise) {}

    /// What follows the word, once it has come. Throws Failure if it cannot come any more.
    std::optional<std::string> add(std::string_view bytes);
    const std::string& heard() const { return m_heard; }

private:
    std::size_t m_mostNoise;
    std::string m_heard;
};

}  // namespace hs::remote
