#include "train/text_rows.h"

#include "base/draws.h"
#include "base/mapped_file.h"
#include "base/text_format.h"

#include <algorithm>
#include <string_view>

namespace hs::train {
namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;  // encoded at a time

/// Where the next piece ends: after a blank line, else after a line, else before a space, so that few
/// words are cut. Without any of these, before a character.
std::size_t pieceEnd(std::string_view text)
{
    if (text.size() <= kPieceBytes)
        return text.size();
    const std::string_view window = text.substr(0, kPieceBytes);
    for (const std::string_view mark : {"\n\n", "\n"})
        if (const std::size_t at = window.rfind(mark); at != std::string_view::npos)
            return at + mark.size();
    if (const std::size_t at = window.rfind(' '); at != std::string_view::npos && at > 0)
        return at;
    const auto isInsideCharacter = [&](std::size_t at) { return (text[at] & 0xc0) == 0x80; };
    std::size_t end = kPieceBytes;
    while (end > kPieceBytes - 4 && isInsideCharacter(end))
        --end;
    return end;
}

}  // namespace

TextRows::TextRows(Stream stream, TextRowOptions options)
    : m_stream(std::move(stream)), m_options(std::move(options))
{
    checkOptions();
    m_taken = m_options.length - (m_options.firstToken ? 1 : 0);
    const auto tokens = static_cast<std::int64_t>(m_stream->size());
    if (tokens < 2 * m_options.length)
        fail(ErrorCode::BadRequest, m_options.file + " has " + formatCount(tokens) + " tokens; at least " +
                                        formatCount(2 * m_options.length) + " are needed for rows of " +
                                        formatCount(m_options.length) +
                                        " and a held-out part; give more text or a shorter --length.");
    checkIds();
    // Whether or not rows have a first token, the same part is held out.
    const auto share = static_cast<std::int64_t>(static_cast<double>(tokens) * m_options.heldOutShare);
    m_trainingTokens = tokens - std::max<std::int64_t>(share, m_options.length);
}

void TextRows::checkOptions() const
{
    if (m_options.heldOutRows < 1)
        fail(ErrorCode::BadRequest, "The held-out part needs at least one row; give a larger number.");
    if (m_options.length < (m_options.firstToken ? 3 : 2))
        fail(ErrorCode::BadRequest, "Rows of " + std::to_string(m_options.length) +
                                        " tokens have nothing to predict; give a longer --length.");
    if (!(m_options.heldOutShare >= 0 && m_options.heldOutShare <= 0.5))
        fail(ErrorCode::BadRequest, "At most half of the text can be held out; give a share from 0 to 0.5.");
}

void TextRows::checkIds() const
{
    const auto check = [&](std::int64_t id) {
        if (id < 0 || id >= m_options.vocabulary)
            fail(ErrorCode::BadRequest,
                 m_options.file + " cannot be read by this model: the tokenizer gives id " +
                     std::to_string(id) + ", but the model has " + formatCount(m_options.vocabulary) +
                     " tokens; use the tokenizer that belongs to the model.");
    };
    for (const std::int32_t id : *m_stream)
        check(id);
    if (m_options.firstToken)
        check(*m_options.firstToken);
}

std::vector<std::int64_t> TextRows::training(std::int64_t row) const
{
    // Rows with a first token and those without are not the same pieces.
    Draws draws({m_options.seed, static_cast<std::uint64_t>(row), m_options.firstToken.has_value()});
    return rowFrom(draws.below(m_trainingTokens - m_taken + 1));
}

std::int64_t TextRows::heldOutRows() const
{
    const std::int64_t room = static_cast<std::int64_t>(m_stream->size()) - m_trainingTokens;
    return std::min<std::int64_t>(m_options.heldOutRows, room / m_taken);
}

std::vector<std::int64_t> TextRows::heldOut(std::int64_t row) const
{
    // Spread over the whole held-out part without sharing a token.
    const std::int64_t room = static_cast<std::int64_t>(m_stream->size()) - m_trainingTokens;
    return rowFrom(m_trainingTokens + row * (room / heldOutRows()));
}

std::vector<std::vector<std::int64_t>> TextRows::longerHeldOut(int length) const
{
    if (static_cast<std::int64_t>(m_stream->size()) - m_trainingTokens < length)
        return {};
    TextRowOptions longer = m_options;  // the same part is held out, as it has room for such a row
    longer.length = length;
    longer.heldOutRows = std::max(1, m_options.heldOutRows * m_options.length / length);
    const TextRows whole(m_stream, longer);
    std::vector<std::vector<std::int64_t>> rows;
    for (std::int64_t row = 0; row < whole.heldOutRows(); ++row)
        rows.push_back(whole.heldOut(row));
    return rows;
}

std::vector<std::int64_t> TextRows::rowFrom(std::int64_t start) const
{
    std::vector<std::int64_t> tokens;
    tokens.reserve(static_cast<std::size_t>(m_options.length));
    if (m_options.firstToken)
        tokens.push_back(*m_options.firstToken);
    const auto begin = m_stream->begin() + start;
    tokens.insert(tokens.end(), begin, begin + m_taken);
    return tokens;
}

std::vector<std::int32_t> encodeTextFile(const std::filesystem::path& file, const text::Tokenizer& tokenizer,
                                         const Hooks& hooks)
{
    const MappedFile mapped = MappedFile::open(file);
    const auto kilobytes = [](std::size_t bytes) { return static_cast<int>(bytes / 1000); };
    std::vector<std::int32_t> stream;
    std::string_view rest = mapped.text();
    while (!rest.empty()) {
        hooks.throwIfCancelled();
        const std::size_t end = pieceEnd(rest);
        const text::Encoding piece = orThrow(tokenizer.encode(rest.substr(0, end), /*addSpecial=*/false));
        stream.insert(stream.end(), piece.ids.begin(), piece.ids.end());
        rest.remove_prefix(end);
        hooks.report(kilobytes(mapped.text().size() - rest.size()), kilobytes(mapped.text().size()));
    }
    if (stream.empty())
        fail(ErrorCode::BadFile, file.string() + " has no text in it; give a file with text.");
    return stream;
}

}  // namespace hs::train
