#include "train/passages.h"

#include "base/failure.h"
#include "base/text_format.h"

#include <algorithm>

namespace hs::train {
namespace {

constexpr std::int64_t kLeastTokens = 3;

/// The longest stretch without a break.
std::int64_t longestStretch(const MeasuredText& text)
{
    return text.document > 0 ? text.document : static_cast<std::int64_t>(text.tokens.size());
}

}  // namespace

std::vector<int> passageLengths(const MeasuredText& text, int context, bool hasFirst)
{
    const std::int64_t room = std::min<std::int64_t>(context, longestStretch(text) + (hasFirst ? 1 : 0));
    if (room < kLeastTokens)
        fail(ErrorCode::BadRequest, "The text has " +
                                        formatCount(static_cast<std::int64_t>(text.tokens.size())) +
                                        " tokens, too few to measure anything on; give a longer text, at "
                                        "best of some thousand tokens.");
    std::vector<int> lengths;
    for (const int length : kPassageLengths)
        if (length <= room)
            lengths.push_back(length);
    if (lengths.empty())
        lengths.push_back(static_cast<int>(room));
    return lengths;
}

HeldOutBatch passagesOf(const MeasuredText& text, int length, int most, std::optional<std::int64_t> first)
{
    const auto all = static_cast<std::int64_t>(text.tokens.size());
    const std::int64_t taken = std::min<std::int64_t>(length - (first ? 1 : 0), longestStretch(text));
    // Long passages are fewer, so that no length takes much more than the judged one.
    const std::int64_t wanted = std::min<std::int64_t>(
        most, std::max<std::int64_t>(1, std::int64_t{2} * kJudgedLength * most / length));
    const std::int64_t places = text.document > 0 ? all / text.document : all / taken;
    const std::int64_t rows = std::min(wanted, places);
    const std::int64_t apart = text.document > 0 ? text.document : all / rows;
    HeldOutBatch held;
    Batch& batch = held.batch;
    batch.rows = static_cast<int>(rows);
    batch.length = static_cast<int>(taken) + (first ? 1 : 0);
    batch.lengths.assign(static_cast<std::size_t>(rows), batch.length);
    batch.groups.assign(static_cast<std::size_t>(rows), 0);
    for (std::int64_t row = 0; row < rows; ++row) {
        if (first)
            batch.tokens.push_back(*first);
        const auto begin = text.tokens.begin() + row * apart;
        batch.tokens.insert(batch.tokens.end(), begin, begin + taken);
        batch.weights.insert(batch.weights.end(), static_cast<std::size_t>(batch.length) - 1, 1.0f);
        batch.weights.push_back(0.0f);
    }
    return held;
}

}  // namespace hs::train
