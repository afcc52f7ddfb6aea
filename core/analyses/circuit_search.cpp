#include "analyses/circuit_search.h"

#include "base/failure.h"
#include "engine/load/model.h"
#include "stats/attribution_share.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace hs::analyses {
namespace {

constexpr int kEveryCountUpTo = 64;  // units; beyond, the curve has gaps
constexpr double kCountStep = 1.25;
constexpr double kLeastDifference = 1e-3;   // of logits; shares of less are noise
constexpr std::size_t kUnitsAtOnce = 4096;  // patches in one request

engine::RunRequest lean(engine::RunRequest request)
{
    const std::optional<int> position = request.capture.position;
    request.capture = {};
    request.capture.position = position;
    request.capture.topK = 0;
    request.capture.loss = false;
    request.capture.tileSide = 1;
    return request;
}

}  // namespace

double finiteMetric(double metric)
{
    if (!std::isfinite(metric))
        fail(ErrorCode::Unsupported, "The model's logits are no finite numbers; load it as float32.");
    return metric;
}

CircuitSearch::CircuitSearch(engine::Engine& engine, const CircuitRequest& request, const Hooks& hooks,
                             const CircuitNews& news)
    : m_engine(engine), m_request(request), m_hooks(hooks), m_news(news),
      m_asked(request.ranking == CircuitRanking::Remove ? &CircuitUnit::removal : &CircuitUnit::effect),
      m_clean(lean(request.clean)), m_corrupted(lean(request.corrupted))
{
    m_circuit.level = request.level;
    m_circuit.shape = request.clean.model->spec().headShape();
    m_circuit.tokens = static_cast<int>(request.clean.tokens.size());
    m_circuit.kind = request.units;
    m_circuit.ranking = request.ranking;
    if (request.clean.ablations == request.corrupted.ablations && !request.clean.writes &&
        !request.corrupted.writes && request.clean.gate == request.corrupted.gate)
        m_firstDifference =
            static_cast<int>(std::ranges::mismatch(request.clean.tokens, request.corrupted.tokens).in1 -
                             request.clean.tokens.begin());
}

Circuit CircuitSearch::find()
{
    runBoth();
    rankUnits();
    if (!isOfPaths())
        explain();
    m_hooks.report(m_total, m_total);
    tell();
    return std::move(m_circuit);
}

/// How much units do together, and what they do the other way round.
void CircuitSearch::explain()
{
    traceCurve();
    if (m_request.isRefined)
        refine();
    if (m_request.ranking == CircuitRanking::Gradient)
        return;
    const Effect other = m_asked == &CircuitUnit::effect ? &CircuitUnit::removal : &CircuitUnit::effect;
    Ranks measured(static_cast<std::size_t>(m_measured));
    std::iota(measured.begin(), measured.end(), 0);
    measure(other, measured, [this](const Ranks&) { tell(); });
}

void CircuitSearch::runBoth()
{
    m_total = 3;
    m_circuit.clean = keepOutputs(m_clean, m_runs.clean);
    m_circuit.corrupted = keepOutputs(m_corrupted, m_runs.corrupted);
    if (std::abs(m_circuit.clean - m_circuit.corrupted) < kLeastDifference)
        fail(ErrorCode::BadRequest,
             "The clean and the corrupted prompt give the same logits, so there is no effect to explain; "
             "choose a corrupted prompt with another answer, or another target.");
    m_circuit.units = listUnits(m_request, m_runs);
    if (isOfPaths()) {
        m_circuit.none = m_circuit.corrupted;
        return;
    }
    for (const CircuitUnit& unit : m_circuit.units) {
        m_allPatched.try_emplace(unit.head,
                                 engine::HeadAblation{engine::HeadAblation::Kind::Replace, m_runs.corrupted});
        if (unit.cell && unit.cell->query >= m_firstDifference)
            ++m_cellCounts[unit.head];
    }
    m_circuit.none = metricsOf(m_clean, {allBut({})}).front();
    if (std::abs(m_circuit.clean - m_circuit.none) < kLeastDifference)
        fail(ErrorCode::BadRequest,
             "The last token alone makes the difference between the prompts, so no head carries it; "
             "let both prompts end in the same token.");
}

double CircuitSearch::keepOutputs(engine::RunRequest run, std::shared_ptr<const engine::HeadOutputs>& outputs)
{
    m_hooks.throwIfCancelled();
    m_hooks.report(m_done++, m_total);
    run.capture.headOutputs = true;
    run.capture.headCells = m_request.units == CircuitUnits::Edges;
    run.capture.watched = {m_request.target};
    if (m_request.versus)
        run.capture.watched.push_back(*m_request.versus);
    const engine::RunResult result = orThrow(m_engine.run(run, {{}, m_hooks.stop}));
    outputs = result.headOutputs;
    const std::vector<engine::Prediction>& watched = result.watched;
    return finiteMetric(watched[0].logit - (watched.size() > 1 ? watched[1].logit : 0));
}

/// The metric of the run with each of these sets of ablations added to its own.
std::vector<double> CircuitSearch::metricsOf(const engine::RunRequest& run,
                                             std::vector<engine::Ablations> variants,
                                             const engine::VariantNews& news)
{
    const int count = static_cast<int>(variants.size());
    const engine::VariantRequest request{run,
                                         std::move(variants),
                                         m_request.target,
                                         m_request.versus,
                                         /*prediction=*/false,
                                         /*loss=*/false};
    const auto progress = [this](int done, int) { m_hooks.report(m_done + done, m_total); };
    std::vector<double> metrics;
    for (const engine::VariantReading& reading :
         orThrow(m_engine.runVariants(request, {progress, m_hooks.stop}, news)).variants)
        metrics.push_back(finiteMetric(reading.logitDifference));
    m_done += count;
    return metrics;
}

CircuitSearch::Ranks CircuitSearch::unknownUnits() const
{
    Ranks unknown;
    for (std::size_t index = 0; index < m_circuit.units.size(); ++index)
        if (std::isnan(m_circuit.units[index].effect))
            unknown.push_back(static_cast<int>(index));
    return unknown;
}

void CircuitSearch::rankUnits()
{
    Ranks unknown = unknownUnits();
    const bool isEstimate = m_request.ranking == CircuitRanking::Gradient;
    if (isEstimate || unknown.size() > kMostMeasured) {
        for (const Effect effect : {&CircuitUnit::effect, &CircuitUnit::removal})
            if (isEstimate || !isOfPaths() || effect == m_asked)
                estimate(effect);
        std::ranges::stable_sort(unknown, std::greater(),
                                 [this](int index) { return std::abs(m_circuit.units[index].*m_asked); });
        if (isEstimate && isOfPaths())
            checkEstimates(unknown);
        unknown.resize(isEstimate ? 0 : kMostMeasured);
    }
    m_measured = static_cast<int>(unknown.size());
    expect(isOfPaths() ? unknown.size() : 2 * unknown.size() + firstCounts().size());
    measure(m_asked, unknown, [this](const Ranks& known) { tellRanking(known); });
    sortUnits(unknown);
    tell();
}

/// The first-order estimate of an effect where it is not known.
void CircuitSearch::estimate(Effect effect)
{
    if (isOfPaths())
        return estimatePaths(effect);
    const auto gradients = orThrow(
        m_engine.headGradients(runOf(effect), m_request.target, m_request.versus, {{}, m_hooks.stop}));
    const std::vector<double> gains = estimateGains(m_circuit.units, m_runs, *gradients);
    for (std::size_t index = 0; index < gains.size(); ++index)
        if (double& value = m_circuit.units[index].*effect; std::isnan(value))
            value = finiteMetric(gains[index]) / (m_circuit.clean - m_circuit.corrupted);
}

engine::Ablations CircuitSearch::patch(const CircuitUnit& unit,
                                       const std::shared_ptr<const engine::HeadOutputs>& source) const
{
    engine::HeadAblation ablation{engine::HeadAblation::Kind::Replace, source};
    if (unit.cell)
        ablation.cells = std::make_shared<const engine::CellMask>(engine::CellMask{{*unit.cell}});
    return {{unit.head, std::move(ablation)}};
}

/// Patches each of some units alone. `tell` receives those that are known so far.
void CircuitSearch::measure(Effect effect, Ranks which, const std::function<void(const Ranks&)>& tell)
{
    const bool restores = effect == &CircuitUnit::effect;
    const double from = restores ? m_circuit.corrupted : m_circuit.clean;
    const double way = (m_circuit.clean - m_circuit.corrupted) * (restores ? 1 : -1);
    // So that units that differ from the same position on run side by side.
    std::ranges::stable_sort(which, {}, [this](int index) {
        const CircuitUnit& unit = m_circuit.units[index];
        return std::tuple(unit.cell ? unit.cell->query : 0, unit.to ? unit.to->head.layer : unit.head.layer);
    });
    Ranks known;
    for (std::span<const int> rest(which); !rest.empty();) {
        const std::span<const int> some = rest.first(std::min(rest.size(), kUnitsAtOnce));
        std::vector<bool> isKnown(some.size());
        const auto take = [&](const engine::VariantResult& result) {
            for (std::size_t at = 0; at < some.size(); ++at) {
                const double metric = result.variants[at].logitDifference;
                if (isKnown[at] || std::isnan(metric))
                    continue;
                isKnown[at] = true;
                known.push_back(some[at]);
                m_circuit.units[some[at]].*effect = (metric - from) / way;
            }
            tell(known);
        };
        if (isOfPaths())
            measurePaths(effect, some, take);
        else {
            std::vector<engine::Ablations> patches;
            for (const int index : some)
                patches.push_back(patch(m_circuit.units[index], sourceOf(effect)));
            metricsOf(runOf(effect), std::move(patches), take);
        }
        rest = rest.subspan(some.size());
    }
}

/// The measured ones first, by descending magnitude, then the others likewise.
void CircuitSearch::sortUnits(const Ranks& measured)
{
    std::vector<bool> isMeasured(m_circuit.units.size());
    for (const int index : measured)
        isMeasured[index] = true;
    Ranks order(m_circuit.units.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(), [&](int index) {
        return std::tuple<bool, double>(isMeasured[index], std::abs(m_circuit.units[index].*m_asked));
    });
    std::vector<CircuitUnit> sorted;
    sorted.reserve(order.size());
    for (const int index : order)
        sorted.push_back(m_circuit.units[index]);
    m_circuit.units = std::move(sorted);
}

void CircuitSearch::tellRanking(const Ranks& known)
{
    std::vector<CircuitUnit> ranked;
    for (const int index : known)
        ranked.push_back(m_circuit.units[index]);
    std::ranges::stable_sort(ranked, std::greater(),
                             [this](const CircuitUnit& unit) { return std::abs(unit.*m_asked); });
    std::swap(m_circuit.units, ranked);
    tell();
    std::swap(m_circuit.units, ranked);
}

void CircuitSearch::tell() const
{
    if (m_news)
        m_news(m_circuit);
}

std::vector<int> CircuitSearch::firstCounts() const
{
    return stats::curveCounts(static_cast<int>(m_circuit.units.size()), kEveryCountUpTo, kCountStep);
}

}  // namespace hs::analyses
