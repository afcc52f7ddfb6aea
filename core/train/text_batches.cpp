#include "train/text_batches.h"

#include "base/draws.h"
#include "base/mapped_file.h"
#include "base/text_format.h"

#include <algorithm>
#include <numeric>
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

TextBatches::TextBatches(Stream stream, TextBatchOptions options)
    : m_stream(std::move(stream)), m_options(std::move(options))
{
    checkOptions();
    const bool isRunning = m_options.form == TextForm::Running;
    m_taken = m_options.length - (isRunning && m_options.bos ? 1 : 0);
    m_unit = isRunning ? 1 : m_taken;
    const auto tokens = static_cast<std::int64_t>(m_stream->size());
    if (tokens < 2 * m_taken)
        fail(ErrorCode::BadRequest, m_options.name + " has " + formatCount(tokens) + " tokens; at least " +
                                        formatCount(2 * m_taken) + " are needed for rows of " +
                                        formatCount(m_options.length) +
                                        " and a held-out part; give more text or a shorter --length.");
    if (tokens % m_unit != 0)
        fail(ErrorCode::BadRequest, m_options.name + " has " + formatCount(tokens) +
                                        " tokens, which are no whole documents of " + formatCount(m_unit) +
                                        "; give the length that it was made with.");
    checkIds();
    const std::int64_t units = tokens / m_unit;
    const auto share = static_cast<std::int64_t>(static_cast<double>(units) * m_options.heldOutShare);
    m_heldOutUnits = std::max(share, m_taken / m_unit);
    m_units = units - m_heldOutUnits;
}

void TextBatches::checkOptions() const
{
    if (m_options.rows < 1 || m_options.heldOutRows < 1)
        fail(ErrorCode::BadRequest, "A batch needs at least one row; give a larger number.");
    if (m_options.length < 2 ||
        (m_options.form == TextForm::Running && m_options.bos && m_options.length < 3))
        fail(ErrorCode::BadRequest, "Rows of " + std::to_string(m_options.length) +
                                        " tokens have nothing to predict; give a longer --length.");
    if (!(m_options.heldOutShare >= 0 && m_options.heldOutShare <= 0.5))
        fail(ErrorCode::BadRequest, "At most half of the text can be held out; give a share from 0 to 0.5.");
}

void TextBatches::checkIds() const
{
    const auto refuse = [&](std::int64_t id) {
        fail(ErrorCode::BadRequest, "The tokenizer gives id " + std::to_string(id) + ", but the model has " +
                                        formatCount(m_options.vocabulary) +
                                        " tokens; use the tokenizer that belongs to the model.");
    };
    for (const std::int32_t id : *m_stream)
        if (id < 0 || id >= m_options.vocabulary)
            refuse(id);
    if (m_options.bos && (*m_options.bos < 0 || *m_options.bos >= m_options.vocabulary))
        refuse(*m_options.bos);
}

std::vector<std::string> TextBatches::groups() const
{
    return {"text"};
}

Batch TextBatches::training(std::int64_t step) const
{
    Draws draws({m_options.seed, static_cast<std::uint64_t>(step)});
    std::vector<std::int64_t> starts(static_cast<std::size_t>(m_options.rows));
    std::int64_t row = step * m_options.rows;
    for (std::int64_t& start : starts) {
        if (m_options.form == TextForm::Documents)
            start = documentAt(row++) * m_unit;
        else
            start = draws.below(m_units - m_taken + 1);
    }
    return batchOf(starts);
}

/// Which document the row is: each comes once before any comes again, each time in a different order.
std::int64_t TextBatches::documentAt(std::int64_t row) const
{
    Draws draws({m_options.seed, static_cast<std::uint64_t>(row / m_units)});
    const std::int64_t first = draws.below(m_units);
    std::int64_t stride = 0;
    do
        stride = draws.between(1, m_units);
    while (std::gcd(stride, m_units) != 1);
    return (first + row % m_units * stride) % m_units;
}

std::vector<HeldOutBatch> TextBatches::heldOut() const
{
    const std::int64_t room = m_heldOutUnits * m_unit;
    const std::int64_t rows = std::min<std::int64_t>(m_options.heldOutRows, room / m_taken);
    // Spread over the whole held-out part without sharing a token.
    const std::int64_t apart = room / rows / m_unit * m_unit;
    std::vector<HeldOutBatch> batches;
    for (std::int64_t row = 0; row < rows; row += m_options.rows) {
        std::vector<std::int64_t> starts;
        for (std::int64_t at = row; at < std::min(rows, row + m_options.rows); ++at)
            starts.push_back(trainingTokens() + at * apart);
        batches.push_back({batchOf(starts), {}});
    }
    return batches;
}

std::vector<HeldOutBatch> TextBatches::longerHeldOut(int length) const
{
    if (m_options.form == TextForm::Documents || m_heldOutUnits < length)
        return {};
    TextBatchOptions longer = m_options;  // the same part is held out, as it has room for such a row
    longer.length = length;
    longer.heldOutRows = std::max(1, m_options.heldOutRows * m_options.length / length);
    return TextBatches(m_stream, longer).heldOut();
}

Batch TextBatches::batchOf(const std::vector<std::int64_t>& starts) const
{
    Batch batch;
    batch.rows = static_cast<int>(starts.size());
    batch.length = m_options.length;
    const auto length = static_cast<std::size_t>(m_options.length);
    batch.tokens.reserve(starts.size() * length);
    batch.lengths.assign(starts.size(), m_options.length);
    batch.groups.assign(starts.size(), 0);
    batch.weights.assign(starts.size() * length, 1.0f);
    for (std::size_t row = 0; row < starts.size(); ++row) {
        if (m_taken < m_options.length)
            batch.tokens.push_back(*m_options.bos);
        const auto begin = m_stream->begin() + starts[row];
        batch.tokens.insert(batch.tokens.end(), begin, begin + m_taken);
        batch.weights[(row + 1) * length - 1] = 0.0f;
    }
    return batch;
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
