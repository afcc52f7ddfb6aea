#include "text/decoder.h"

#include "text/byte_level.h"
#include "text/normalizer.h"
#include "text/text_growth.h"
#include "text/time_limit.h"
#include "text/utf8.h"

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

std::size_t bytesOf(const std::vector<DecoderToken>& tokens)
{
    std::size_t bytes = 0;
    for (const DecoderToken& token : tokens)
        bytes += token.text.size();
    return bytes;
}

}  // namespace

void TokenwiseDecoder::apply(std::vector<DecoderToken>& tokens) const
{
    const std::size_t before = bytesOf(tokens);
    std::size_t after = 0;
    for (DecoderToken& token : tokens) {
        applyInside(token);
        after += token.text.size();
        requireModestGrowth(after, before);
    }
}

void ByteLevelDecoder::applyInside(DecoderToken& token) const
{
    if (!token.isVerbatim)
        token.text = bytesOfSymbols(token.text);
}

void ByteFallbackDecoder::applyInside(DecoderToken& token) const
{
    const std::string& text = token.text;
    if (text.size() != 6 || !text.starts_with("<0x") || !text.ends_with('>'))
        return;
    unsigned char byte = 0;
    const auto parsed = std::from_chars(text.data() + 3, text.data() + 5, byte, 16);
    if (parsed.ec == std::errc() && parsed.ptr == text.data() + 5)
        token.text.assign(1, static_cast<char>(byte));
}

void ReplaceDecoder::applyInside(DecoderToken& token) const
{
    // By now the token may be bytes that are not valid text.
    const AlignedText text = AlignedText::fromBytes(token.text);
    token.text = unescapeBytes(replaceAll(text, m_pattern, m_content).text());
}

void FuseDecoder::apply(std::vector<DecoderToken>& tokens) const
{
    DecoderToken whole;
    for (const DecoderToken& token : tokens)
        whole.text += token.text;
    tokens.clear();
    tokens.push_back(std::move(whole));
}

void StripDecoder::apply(std::vector<DecoderToken>& tokens) const
{
    for (DecoderToken& token : tokens) {
        std::string_view kept = token.text;
        for (std::size_t i = 0; i < m_start && kept.starts_with(m_character); ++i)
            kept.remove_prefix(m_character.size());
        for (std::size_t i = 0; i < m_stop && kept.ends_with(m_character); ++i)
            kept.remove_suffix(m_character.size());
        token.text = std::string(kept);
    }
}

void MetaspaceDecoder::apply(std::vector<DecoderToken>& tokens) const
{
    for (std::size_t i = 0; i < tokens.size(); ++i)
        tokens[i].text = replaced(tokens[i].text, m_mark, i == 0 && m_dropsFirst ? "" : " ");
}

void MetaspaceDecoder::applyInside(DecoderToken& token) const
{
    token.text = replaced(token.text, m_mark, " ");
}

void WordPieceDecoder::apply(std::vector<DecoderToken>& tokens) const
{
    static constexpr std::pair<std::string_view, std::string_view> kCleanups[] = {
        {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
        {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i > 0)
            applyInside(tokens[i]);
        for (const auto& [from, to] : kCleanups)
            if (m_cleanup)
                tokens[i].text = replaced(tokens[i].text, from, to);
    }
}

void WordPieceDecoder::applyInside(DecoderToken& token) const
{
    token.text = token.text.starts_with(m_prefix) ? token.text.substr(m_prefix.size()) : " " + token.text;
}

void DecoderSequence::apply(std::vector<DecoderToken>& tokens) const
{
    const std::size_t before = bytesOf(tokens);
    for (const auto& part : m_parts) {
        TimeLimit::check();
        part->apply(tokens);
        requireModestGrowth(bytesOf(tokens), before);
    }
}

void DecoderSequence::applyInside(DecoderToken& token) const
{
    const std::size_t before = token.text.size();
    for (const auto& part : m_parts) {
        TimeLimit::check();
        part->applyInside(token);
        requireModestGrowth(token.text.size(), before);
    }
}

}  // namespace hs::text
