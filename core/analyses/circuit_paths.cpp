#include "analyses/circuit_search.h"
#include "base/failure.h"
#include "stats/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hs::analyses {
namespace {

constexpr int kSampledPaths = 64;  // whose estimates are checked

/// Half of a sample from the front of a list, half spread evenly over the rest of it.
std::vector<int> sampleOf(const std::vector<int>& ranked, int most)
{
    if (static_cast<int>(ranked.size()) <= most)
        return ranked;
    std::vector<int> sample(ranked.begin(), ranked.begin() + most / 2);
    const std::size_t rest = ranked.size() - sample.size();
    const auto spread = static_cast<std::size_t>(most) - sample.size();
    for (std::size_t index = 0; index < spread; ++index)
        sample.push_back(ranked[static_cast<std::size_t>(most / 2) + index * rest / spread]);
    return sample;
}

}  // namespace

engine::PathRequest CircuitSearch::pathRequest(Effect effect, std::span<const int> which) const
{
    engine::PathRequest request{runOf(effect), sourceOf(effect), {}, m_request.target, m_request.versus};
    for (const int index : which)
        request.paths.push_back({m_circuit.units[index].head, m_circuit.units[index].to.value()});
    return request;
}

/// Integrated gradients of the paths that are not known yet.
void CircuitSearch::estimatePaths(Effect effect)
{
    Ranks unknown(m_circuit.units.size());
    std::iota(unknown.begin(), unknown.end(), 0);
    std::erase_if(unknown, [&](int index) { return !std::isnan(m_circuit.units[index].*effect); });
    // Progress counts runs, and these are worth about one for each head.
    const int worth = m_circuit.shape.total();
    expect(static_cast<std::size_t>(worth));
    const auto progress = [&](int done, int of) {
        m_hooks.report(m_done + static_cast<int>(std::int64_t{worth} * done / std::max(of, 1)), m_total);
    };
    const std::vector<double> gains =
        orThrow(m_engine.estimatePaths(pathRequest(effect, unknown), {progress, m_hooks.stop}));
    m_done += worth;
    const double way = (m_circuit.clean - m_circuit.corrupted) * (effect == &CircuitUnit::effect ? 1 : -1);
    for (std::size_t index = 0; index < unknown.size(); ++index)
        m_circuit.units[unknown[index]].*effect = finiteMetric(gains[index]) / way;
}

void CircuitSearch::measurePaths(Effect effect, std::span<const int> which, const engine::VariantNews& news)
{
    const auto progress = [this](int done, int) { m_hooks.report(m_done + done, m_total); };
    const engine::VariantResult result =
        orThrow(m_engine.runPaths(pathRequest(effect, which), {progress, m_hooks.stop}, news));
    for (const engine::VariantReading& reading : result.variants)
        finiteMetric(reading.logitDifference);
    m_done += static_cast<int>(which.size());
}

/// Measures a sample of estimated effects, the largest of which come first; all keep their estimates.
void CircuitSearch::checkEstimates(const Ranks& ranked)
{
    const Ranks sample = sampleOf(ranked, kSampledPaths);
    expect(sample.size());
    const std::vector<CircuitUnit> estimated = m_circuit.units;
    measure(m_asked, sample, [](const Ranks&) {});
    EstimateCheck check{static_cast<int>(sample.size())};
    std::vector<double> estimates;
    std::vector<double> measured;
    for (const int rank : sample) {
        estimates.push_back(estimated[rank].*m_asked);
        measured.push_back(m_circuit.units[rank].*m_asked);
        check.largestError = std::max(check.largestError, std::abs(estimates.back() - measured.back()));
    }
    check.rankCorrelation = stats::rankCorrelation(estimates, measured);
    m_circuit.units = estimated;
    m_circuit.check = check;
}

}  // namespace hs::analyses
