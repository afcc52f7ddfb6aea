#pragma once

#include "remote/frame.h"
#include "remote/tree.h"

#include <map>
#include <memory>
#include <vector>

namespace hs::remote {

/// Which end reads: each takes only the kinds that the other sends.
enum class End { Client, Daemon };

struct Message {
    Kind kind = Kind::Beat;
    std::uint32_t request = 0;
    Tree tree;
    std::size_t wireBytes = 0;
};

/// A message as it is sent: its tree's length in four bytes and the tree, over as many frames as needed.
struct Packed {
    Kind kind = Kind::Beat;
    std::uint32_t request = 0;
    std::vector<std::string> frames;
    std::size_t bytes = 0;  // of all frames
};
using PackedPtr = std::shared_ptr<const Packed>;

/// Throws Failure for a message that the other end would not take.
PackedPtr pack(Kind kind, std::uint32_t request, const Tree& tree);

/// Errors as trees.
Tree toTree(const Error& error);
Error errorFrom(const Tree& tree);

/// Messages from bytes that come in any pieces; those of different requests and kinds may be mixed. Whatever
/// breaks a rule throws Failure, and the line has to be closed.
class MessageReader {
public:
    explicit MessageReader(End end) : m_end(end) {}

    void add(std::string_view bytes) { m_frames.add(bytes); }
    std::optional<Message> next();
    const FrameReader& frames() const { return m_frames; }
    /// Bytes of frames with data since this was last called, of messages that are not whole as well.
    std::size_t takeDataBytes() { return std::exchange(m_dataBytes, 0); }

private:
    struct Piece {
        std::size_t total = 0;
        std::string bytes;
        std::size_t wireBytes = 0;
    };
    using Key = std::pair<std::uint32_t, Kind>;

    void begin(const Key& key, Frame& frame);

    End m_end;
    FrameReader m_frames;
    std::map<Key, Piece> m_pieces;
    std::size_t m_dataBytes = 0;
};

}  // namespace hs::remote
