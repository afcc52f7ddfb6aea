#include "analyses/circuit_search.h"
#include "stats/attribution_share.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hs::analyses {
namespace {

constexpr int kSections = 8;  // that a gap in the curve is cut into
constexpr double kRounding = 1e-5;
constexpr std::size_t kSetsAtOnce = 256;                   // circuits in one request,
constexpr std::size_t kKeptAtOnce = std::size_t{1} << 21;  // and the units they keep
constexpr int kEveryDropUpTo = 16;                         // units left out together; beyond, with gaps

/// All but some of them, in ascending order like `all`.
std::vector<int> without(const std::vector<int>& all, std::vector<int> some)
{
    std::ranges::sort(some);
    std::vector<int> rest;
    std::ranges::set_difference(all, some, std::back_inserter(rest));
    return rest;
}

}  // namespace

bool CircuitSearch::reaches(double effect) const
{
    return effect >= m_circuit.level - kRounding;
}

/// Ablations of the clean run that keep some units and take all others from the corrupted run.
engine::Ablations CircuitSearch::allBut(const Ranks& kept) const
{
    engine::Ablations patched = m_allPatched;
    std::map<HeadId, std::vector<CellId>> cells;
    for (const int rank : kept) {
        const CircuitUnit& unit = m_circuit.units[rank];
        if (!unit.cell)
            patched.erase(unit.head);
        else if (unit.cell->query >= m_firstDifference)  // before it both runs are the same
            cells[unit.head].push_back(*unit.cell);
    }
    for (auto& [head, own] : cells) {
        if (static_cast<int>(own.size()) == m_cellCounts.at(head))
            patched.erase(head);
        else
            patched[head].cells =
                std::make_shared<const engine::CellMask>(engine::CellMask{std::move(own), /*isRest=*/true});
    }
    return patched;
}

/// The explained effect of each of these circuits. `tell` receives them as they become known.
std::vector<double> CircuitSearch::explainedBy(const std::vector<Ranks>& kept, const SetNews& tell)
{
    std::vector<double> effects(kept.size(), NAN);
    for (std::size_t first = 0; first < kept.size();) {
        std::vector<engine::Ablations> variants;
        for (std::size_t units = 0, at = first;
             at < kept.size() && variants.size() < kSetsAtOnce && units < kKeptAtOnce; ++at) {
            variants.push_back(allBut(kept[at]));
            units += kept[at].size();
        }
        const std::size_t count = variants.size();
        metricsOf(m_clean, std::move(variants), [&](const engine::VariantResult& result) {
            for (std::size_t at = 0; at < count; ++at)
                if (const double metric = result.variants[at].logitDifference; !std::isnan(metric))
                    effects[first + at] = (metric - m_circuit.none) / (m_circuit.clean - m_circuit.none);
            if (tell)
                tell(effects);
        });
        first += count;
    }
    return effects;
}

void CircuitSearch::addPoints(const Ranks& counts)
{
    std::vector<Ranks> kept;
    for (const int count : counts) {
        kept.emplace_back(static_cast<std::size_t>(count));
        std::iota(kept.back().begin(), kept.back().end(), 0);
    }
    explainedBy(kept, [&](const std::vector<double>& effects) {
        for (std::size_t index = 0; index < counts.size(); ++index)
            if (!std::isnan(effects[index]))
                m_points[counts[index]] = effects[index];
        m_circuit.curve.clear();
        for (const auto& [count, effect] : m_points)
            m_circuit.curve.push_back({count, effect});
        tell();
    });
}

void CircuitSearch::traceCurve()
{
    m_points[0] = 0;
    addPoints(firstCounts());
    const auto firstReaching = [this] {
        return std::ranges::find_if(m_points, [this](const auto& point) { return reaches(point.second); });
    };
    // Narrows the gap between the last count below the level and the first that reaches it.
    for (auto first = firstReaching(); first != m_points.begin(); first = firstReaching()) {
        const int below = std::prev(first)->first;
        const int gap = first->first - below;
        if (gap == 1)
            break;
        Ranks counts;
        for (int section = 1; section < std::min(gap, kSections); ++section)
            counts.push_back(below + static_cast<int>(static_cast<std::int64_t>(gap) * section /
                                                      std::min(gap, kSections)));
        expect(counts.size());
        addPoints(counts);
    }
    m_circuit.smallest = firstReaching()->first;
    tell();
}

/// The units of a circuit that could each be dropped alone, those first without which most is explained.
CircuitSearch::Ranks CircuitSearch::spareUnits(const Ranks& kept)
{
    std::vector<Ranks> sets;
    for (const int rank : kept)
        sets.push_back(without(kept, {rank}));
    expect(sets.size());
    const std::vector<double> effects = explainedBy(sets);
    Ranks spare(kept.size());
    std::iota(spare.begin(), spare.end(), 0);
    std::erase_if(spare, [&](int index) { return !reaches(effects[index]); });
    std::ranges::stable_sort(spare, std::greater(), [&](int index) { return effects[index]; });
    for (int& index : spare)
        index = kept[index];
    return spare;
}

/// Drops units not needed to reach the level, as many at once as possible, until none can go.
void CircuitSearch::refine()
{
    Ranks kept(static_cast<std::size_t>(m_circuit.smallest));
    std::iota(kept.begin(), kept.end(), 0);
    for (;;) {
        m_circuit.refined = kept;
        tell();
        const Ranks spare = spareUnits(kept);
        if (spare.empty())
            return;
        // At least one can go.
        std::vector<Ranks> sets;
        for (const int count : stats::curveCounts(static_cast<int>(spare.size()), kEveryDropUpTo, 1.5))
            sets.push_back(without(kept, {spare.begin(), spare.begin() + count}));
        expect(sets.size());
        const std::vector<double> effects = explainedBy(sets);
        std::size_t most = 0;
        for (std::size_t index = 1; index < sets.size(); ++index)
            if (reaches(effects[index]))
                most = index;
        kept = std::move(sets[most]);
    }
}

}  // namespace hs::analyses
