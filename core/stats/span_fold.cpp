#include "stats/span_fold.h"

#include <algorithm>
#include <array>

namespace hs::stats {
namespace {

/// In eight lanes, in the same order whoever adds: one after another, sums would take longer than the weights themselves.
double sumOf(const float* values, int count)
{
    static constexpr int kSumLanes = 8;
    std::array<double, kSumLanes> lanes = {};
    int at = 0;
    for (; at + kSumLanes <= count; at += kSumLanes)
        for (int lane = 0; lane < kSumLanes; ++lane)
            lanes[static_cast<std::size_t>(lane)] += values[at + lane];
    double sum = 0;
    for (; at < count; ++at)
        sum += values[at];
    for (const double lane : lanes)
        sum += lane;
    return sum;
}

}  // namespace

SpanFold::SpanFold(const TokenSpans& spans)
    : m_spans(spans), m_sums(static_cast<std::size_t>(spans.count())), m_row(m_sums.size()),
      m_hasOpen(m_sums.size())
{
}

const float* SpanFold::add(const float* row, const std::uint8_t* open, int first, int end)
{
    for (int key = first, span = m_spans.of(first); key < end; ++span) {
        const int last = std::min(m_spans.end(span), end);
        const auto index = static_cast<std::size_t>(span);
        m_sums[index] += sumOf(row + key, last - key);
        if (open && std::any_of(open + key, open + last, [](std::uint8_t isOpen) { return isOpen != 0; }))
            m_hasOpen[index] = 1;
        key = last;
    }
    if (++m_query < m_spans.end(m_span))
        return nullptr;
    const double queries = m_spans.size(m_span++);
    std::ranges::transform(m_sums, m_row.begin(),
                           [&](double sum) { return static_cast<float>(sum / queries); });
    m_active += std::ranges::count(m_hasOpen, 1);
    std::ranges::fill(m_sums, 0.0);
    std::ranges::fill(m_hasOpen, 0);
    return m_row.data();
}

void foldMap(const TokenSpans& spans, const float* map, float* folded)
{
    const int tokens = spans.ends().back();
    SpanFold fold(spans);
    for (int query = 0; query < tokens; ++query)
        if (const float* const row =
                fold.add(map + std::size_t(query) * std::size_t(tokens), nullptr, 0, tokens))
            folded = std::copy_n(row, spans.count(), folded);
}

}  // namespace hs::stats
