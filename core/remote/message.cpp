#include "remote/message.h"

#include "base/text_format.h"

#include <algorithm>
#include <cstring>

namespace hs::remote {
namespace {

constexpr std::size_t kMostPieces = 256;  // messages that are on their way at once
constexpr std::size_t kLengthBytes = 4;

constexpr std::size_t largestMessage(Kind kind)
{
    return isData(kind) ? 256u << 20 : kind == Kind::Request ? 64u << 20 : 1u << 20;
}

bool isFor(End end, Kind kind)
{
    switch (kind) {
    case Kind::Hello:
    case Kind::Beat: return true;
    case Kind::Part:
    case Kind::Done:
    case Kind::Failed:
    case Kind::Progress: return end == End::Client;
    case Kind::Request:
    case Kind::Cancel:
    case Kind::Release:
    case Kind::Credit: return end == End::Daemon;
    case Kind::Pad: break;
    }
    return false;
}

}  // namespace

PackedPtr pack(Kind kind, std::uint32_t request, const Tree& tree)
{
    std::string bytes(kLengthBytes, '\0');
    bytes += encodeTree(tree);
    const std::size_t length = bytes.size() - kLengthBytes;
    if (length > largestMessage(kind))
        fail(ErrorCode::TooLarge, "This has " + formatBytes(length) + ", and at most " +
                                      formatBytes(largestMessage(kind)) +
                                      " travel between machines at once; ask for less.");
    const auto total = static_cast<std::uint32_t>(length);
    std::memcpy(bytes.data(), &total, kLengthBytes);
    auto message = std::make_shared<Packed>(Packed{kind, request, {}, 0});
    const std::size_t most = largestBody(kind);
    for (std::size_t at = 0; at < bytes.size(); at += most) {
        const bool isLast = at + most >= bytes.size();
        message->frames.push_back(makeFrame(kind, request, std::string_view(bytes).substr(at, most), isLast));
        message->bytes += message->frames.back().size();
    }
    return message;
}

std::optional<Message> MessageReader::next()
{
    while (std::optional<Frame> frame = m_frames.next()) {
        if (!isFor(m_end, frame->kind))
            refuseLine("a message that is not for this end of the line");
        if (isData(frame->kind))
            m_dataBytes += frame->wireBytes;
        const Key key(frame->request, frame->kind);
        const auto found = m_pieces.find(key);
        if (found == m_pieces.end())
            begin(key, *frame);
        else
            found->second.bytes += frame->body;
        Piece& piece = m_pieces[key];
        piece.wireBytes += frame->wireBytes;
        if (piece.bytes.size() > piece.total || (frame->isLast && piece.bytes.size() != piece.total))
            refuseLine("a message of another length than it says");
        if (!frame->isLast)
            continue;
        const Piece whole = std::move(piece);
        m_pieces.erase(key);
        if (frame->kind == Kind::Done || frame->kind == Kind::Failed)  // what was left unsent never comes
            std::erase_if(m_pieces, [&](const auto& each) { return each.first.first == frame->request; });
        const std::size_t nodes = isData(frame->kind) || frame->kind == Kind::Request ? 1'000'000 : 50'000;
        return Message{frame->kind, frame->request, decodeTree(whole.bytes, {.nodes = nodes}),
                       whole.wireBytes};
    }
    return std::nullopt;
}

void MessageReader::begin(const Key& key, Frame& frame)
{
    if (frame.body.size() < kLengthBytes)
        refuseLine("a message without its length");
    std::uint32_t total = 0;
    std::memcpy(&total, frame.body.data(), kLengthBytes);
    std::size_t promised = total;
    for (const auto& [other, piece] : m_pieces)
        promised += piece.total;
    if (total > largestMessage(key.second) || promised > 2 * largestMessage(Kind::Done))
        refuseLine("a message of " + formatBytes(total) + ", which is too much at once");
    if (m_pieces.size() >= kMostPieces)
        refuseLine("too many messages at once");
    frame.body.erase(0, kLengthBytes);
    m_pieces[key] = {total, std::move(frame.body), 0};
}

Tree toTree(const Error& error)
{
    return {{"code", static_cast<int>(error.code)}, {"message", error.message}, {"detail", error.detail}};
}

Error errorFrom(const Tree& tree)
{
    const JsonReader error = reader(tree);
    const int code = error["code"].integer(0, 1'000'000);
    return {code < static_cast<int>(ErrorCode::Internal) ? ErrorCode(code) : ErrorCode::Internal,
            shortened(error["message"].text(), 4'000), shortened(error["detail"].text(""), 20'000)};
}

}  // namespace hs::remote
