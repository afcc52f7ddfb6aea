#include "text/decoder.h"

#include "text/byte_level.h"
#include "text/text_growth.h"

#include <charconv>
#include <string_view>
#include <utility>

namespace hs::text {

namespace {

std::string replaced(std::string_view text, std::string_view from, std::string_view to)
{
    std::string out;
    std::size_t copied = 0;
    for (std::size_t at = text.find(from); at != std::string_view::npos; at = text.find(from, copied)) {
        out.append(text.substr(copied, at - copied)).append(to);
        copied = at + from.size();
    }
    return out.append(text.substr(copied));
}

}  // namespace

std::size_t bytesOf(const DecoderTokens& tokens)
{
    std::size_t bytes = 0;
    for (const DecoderToken& token : tokens)
        bytes += token.text.size();
    return bytes;
}

Decoder tokenwise(const std::function<void(DecoderToken& token)>& decode)
{
    const auto decodeAll = [decode](DecoderTokens& tokens) {
        const std::size_t before = bytesOf(tokens);
        std::size_t after = 0;
        for (DecoderToken& token : tokens) {
            decode(token);
            after += token.text.size();
            requireModestGrowth(after, before);
        }
    };
    return {decodeAll, decode};
}

void decodeSymbols(DecoderToken& token)
{
    if (!token.isVerbatim)
        token.text = bytesOfSymbols(token.text);
}

void decodeFallback(DecoderToken& token)
{
    const std::string& text = token.text;
    if (text.size() != 6 || !text.starts_with("<0x") || !text.ends_with('>'))
        return;
    unsigned char byte = 0;
    const auto parsed = std::from_chars(text.data() + 3, text.data() + 5, byte, 16);
    if (parsed.ec == std::errc() && parsed.ptr == text.data() + 5)
        token.text.assign(1, static_cast<char>(byte));
}

Decoder fuseDecoder()
{
    const auto fuse = [](DecoderTokens& tokens) {
        DecoderToken whole;
        for (const DecoderToken& token : tokens)
            whole.text += token.text;
        tokens = {std::move(whole)};
    };
    return {fuse, [](DecoderToken&) {}};
}

Decoder stripDecoder(const std::string& character, std::size_t start, std::size_t stop)
{
    const auto strip = [=](DecoderTokens& tokens) {
        for (DecoderToken& token : tokens) {
            std::string_view kept = token.text;
            for (std::size_t i = 0; i < start && kept.starts_with(character); ++i)
                kept.remove_prefix(character.size());
            for (std::size_t i = 0; i < stop && kept.ends_with(character); ++i)
                kept.remove_suffix(character.size());
            token.text = std::string(kept);
        }
    };
    return {strip, [](DecoderToken&) {}};
}

Decoder metaspaceDecoder(const std::string& mark, bool dropsFirst)
{
    const auto readMarks = [=](DecoderTokens& tokens) {
        for (std::size_t i = 0; i < tokens.size(); ++i)
            tokens[i].text = replaced(tokens[i].text, mark, i == 0 && dropsFirst ? "" : " ");
    };
    return {readMarks, [mark](DecoderToken& token) { token.text = replaced(token.text, mark, " "); }};
}

Decoder wordPieceDecoder(const std::string& prefix, bool cleanup)
{
    static constexpr std::pair<std::string_view, std::string_view> kCleanups[] = {
        {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
        {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    const auto join = [prefix](DecoderToken& token) {
        token.text = token.text.starts_with(prefix) ? token.text.substr(prefix.size()) : " " + token.text;
    };
    const auto joinAll = [=](DecoderTokens& tokens) {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (i > 0)
                join(tokens[i]);
            for (const auto& [from, to] : kCleanups)
                if (cleanup)
                    tokens[i].text = replaced(tokens[i].text, from, to);
        }
    };
    return {joinAll, join};
}

}  // namespace hs::text
