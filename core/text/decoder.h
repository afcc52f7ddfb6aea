#pragma once

#include <functional>
#include <string>
#include <vector>

namespace hs::text {

/// A token on its way back to text. Bytes, not always valid UTF-8.
struct DecoderToken {
    std::string text;
    bool isVerbatim = false;  // an added token: literal text, even if its letters are symbols too
};
using DecoderTokens = std::vector<DecoderToken>;

inline std::size_t bytesOf(const DecoderToken& token)
{
    return token.text.size();
}
std::size_t bytesOf(const DecoderTokens& tokens);

/// Turns tokens back into text; see tokenizer.json's "decoder".
struct Decoder {
    std::function<void(DecoderTokens& tokens)> apply;
    /// Decodes one token alone, as if in the middle of a text: nothing is taken off its ends.
    std::function<void(DecoderToken& token)> applyInside;
};

/// A decoder that treats every token alike, wherever it stands.
Decoder tokenwise(const std::function<void(DecoderToken& token)>& decode);
/// Reads symbols of the byte-level alphabet.
void decodeSymbols(DecoderToken& token);
/// Reads "<0x0A>" as a byte.
void decodeFallback(DecoderToken& token);

/// Makes one token of all.
Decoder fuseDecoder();
/// Takes a character off the ends of each token, up to `start` and `stop` times.
Decoder stripDecoder(const std::string& character, std::size_t start, std::size_t stop);
Decoder metaspaceDecoder(const std::string& mark, bool dropsFirst);
/// Joins sub-words that carry a prefix, and puts spaces before the others.
Decoder wordPieceDecoder(const std::string& prefix, bool cleanup);

}  // namespace hs::text
