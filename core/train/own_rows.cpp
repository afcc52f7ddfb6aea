#include "train/own_rows.h"

#include "base/draws.h"
#include "base/failure.h"
#include "base/text_format.h"

#include <algorithm>
#include <numeric>

namespace hs::train {
namespace {

/// Which of `count` things comes at a place, when each comes once before any comes again, and each time in
/// a different order; the first time in their own.
std::int64_t inTurn(std::int64_t place, std::int64_t count, std::uint64_t seed)
{
    if (place < count)
        return place;
    Draws draws({seed, static_cast<std::uint64_t>(place / count)});
    const std::int64_t first = draws.below(count);
    std::int64_t stride = 0;
    do
        stride = draws.between(1, count);
    while (std::gcd(stride, count) != 1);
    return (first + place % count * stride) % count;
}

}  // namespace

OwnRows::OwnRows(std::shared_ptr<const Sampler> sampler, OwnRowOptions options, Hooks hooks)
    : m_sampler(std::move(sampler)), m_options(std::move(options)), m_hooks(std::move(hooks)),
      m_lost(m_options.losesFirst ? 1 : 0), m_documentLength(documentLength(m_options.length)),
      m_perRound(m_sampler->documentsAtOnce(m_documentLength))
{
    const std::uint64_t needed = static_cast<std::uint64_t>(m_options.rows) *
                                 static_cast<std::uint64_t>(m_options.length) * sizeof(std::int32_t);
    if (const auto available = engine::availableMemory(engine::Device{}); available && needed > *available)
        fail(ErrorCode::TooLarge, formatCount(m_options.rows) + " samples take " + formatBytes(needed) +
                                      ", but " + formatBytes(*available) +
                                      " of memory are free; give a smaller --self, or --self without a "
                                      "number, which keeps few at a time.");
    m_heldOut = draw(0, m_options.heldOutRows, m_documentLength, /*isHeldOut=*/true);
}

void OwnRows::prepare(std::int64_t first, std::int64_t end)
{
    const bool isEndless = m_options.rows == 0;
    // Rows that come again may be anywhere.
    const bool comesAgain = !isEndless && end > m_options.rows;
    const std::int64_t firstRound = comesAgain ? 0 : first / m_perRound;
    const std::int64_t lastRow = (comesAgain ? m_options.rows : end) - 1;
    if (isEndless)
        std::erase_if(m_rounds, [&](const auto& round) { return round.first < firstRound; });
    try {
        for (std::int64_t round = firstRound; round <= lastRow / m_perRound; ++round) {
            const std::int64_t begin = round * m_perRound;
            const std::int64_t count = isEndless ? m_perRound : std::min(m_perRound, m_options.rows - begin);
            if (!m_rounds.contains(round))
                m_rounds[round] = draw(begin, count, m_documentLength, /*isHeldOut=*/false);
        }
    } catch (const Failure& failure) {
        if (failure.error().code != ErrorCode::Cancelled)
            throw;
    }
}

std::vector<std::int64_t> OwnRows::training(std::int64_t row) const
{
    const std::int64_t document = m_options.rows > 0 ? inTurn(row, m_options.rows, m_options.seed) : row;
    const auto round = m_rounds.find(document / m_perRound);
    if (round == m_rounds.end())
        fail(ErrorCode::Internal, "Row " + formatCount(row) + " was not drawn before it was asked for.");
    return rowOf(round->second, document % m_perRound, m_documentLength);
}

std::vector<std::int64_t> OwnRows::heldOut(std::int64_t row) const
{
    return rowOf(m_heldOut, row, m_documentLength);
}

std::vector<std::vector<std::int64_t>> OwnRows::longerHeldOut(int length) const
{
    const int tokens = documentLength(length);
    const int count = std::max(1, m_options.heldOutRows * m_options.length / length);
    const Documents documents = draw(0, count, tokens, /*isHeldOut=*/true);
    std::vector<std::vector<std::int64_t>> rows;
    for (int row = 0; row < count; ++row)
        rows.push_back(rowOf(documents, row, tokens));
    return rows;
}

int OwnRows::documentLength(int length) const
{
    return std::min(length + m_lost, m_sampler->spec().context);
}

OwnRows::Documents OwnRows::draw(std::int64_t first, std::int64_t count, int length, bool isHeldOut) const
{
    SampleRange range;
    range.seed = Draws({m_options.seed, isHeldOut, m_options.losesFirst}).next();
    range.first = first;
    range.count = count;
    range.length = length;
    range.firstToken = m_options.firstToken;
    return m_sampler->draw(range, m_hooks);
}

std::vector<std::int64_t> OwnRows::rowOf(const Documents& documents, std::int64_t index, int length) const
{
    const auto begin = documents.begin() + index * length;
    return {begin + m_lost, begin + length};
}

}  // namespace hs::train
