#include "fuzz/targets/remote_laws.h"

#include "fuzz/target.h"

#include <algorithm>
#include <cstring>

namespace hs::fuzz {
namespace {

using namespace remote;

/// A script is a list of (kind, request, flags, length) and so many bytes of a message. Flags: 1 the last frame,
/// 2 its length goes before it, 4 a wrong one.
std::string framesOf(std::string_view script)
{
    std::string frames;
    while (script.size() >= 4) {
        const auto kind = static_cast<std::uint8_t>(script[0]) % 12;
        const auto request = static_cast<std::uint8_t>(script[1]) % 4u;
        const auto flags = static_cast<std::uint8_t>(script[2]);
        const std::size_t length =
            std::min<std::size_t>(static_cast<std::uint8_t>(script[3]), script.size() - 4);
        const std::string_view content = script.substr(4, length);
        script.remove_prefix(4 + length);
        std::string body;
        if (flags & 2) {
            const std::uint32_t total = static_cast<std::uint32_t>(length) + ((flags & 4) ? 1 : 0);
            body.assign(reinterpret_cast<const char*>(&total), sizeof total);
        }
        for (int copies = 0; copies < ((flags & 8) ? 200 : 1); ++copies)
            body += content;
        frames += makeFrame(Kind(kind), request, body, flags & 1);
    }
    return frames;
}

/// What was read from pieces of so many bytes, and the sentence at the end if there was one.
std::pair<std::vector<Message>, std::optional<Error>> readPieces(End end, std::string_view bytes,
                                                                 std::size_t piece)
{
    MessageReader reader(end);
    std::vector<Message> messages;
    try {
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
            reader.add(bytes.substr(at, piece));
            while (std::optional<Message> message = reader.next())
                messages.push_back(std::move(*message));
        }
    } catch (const Failure& failure) {
        return {std::move(messages), failure.error()};
    }
    return {std::move(messages), std::nullopt};
}

}  // namespace

void checkMessages(End end, std::string_view input, const std::function<void(const Message&)>& take)
{
    const bool isScript = input.starts_with('m');
    const std::string made = isScript ? framesOf(input.substr(1)) : std::string();
    const std::string_view bytes = isScript ? std::string_view(made) : input;
    const auto [messages, refusal] = readPieces(end, bytes, std::max<std::size_t>(bytes.size(), 1));
    if (refusal)
        requireRefusal(*refusal);
    const auto [again, refusedAgain] = readPieces(end, bytes, 1 + bytes.size() % 13);
    require(messages.size() == again.size() && refusal == refusedAgain, "pieces make no difference");
    for (const Message& message : messages) {
        const std::string written = encodeTree(message.tree);  // NaN is not equal to itself, its bytes are
        require(encodeTree(decodeTree(written)) == written, "a tree reads as it is written");
        const Result<bool> taken = guarded([&] {
            take(message);
            return true;
        });
        if (!taken)
            requireRefusal(taken.error());
    }
}

}  // namespace hs::fuzz
