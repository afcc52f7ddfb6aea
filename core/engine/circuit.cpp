#include "engine/circuit.h"

#include "analysis/attribution_share.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "engine/model.h"
#include "engine/request_check.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hs {
namespace {

constexpr int kEveryCountUpTo = 64;        // heads; beyond, the curve has gaps
constexpr double kLeastDifference = 1e-3;  // of logits; below it shares of it are noise

RunRequest lean(RunRequest request, const CircuitRequest& circuit)
{
    request.capture = {};
    request.capture.topK = 0;
    request.capture.loss = false;
    request.capture.tileSide = 1;
    request.capture.watched = {circuit.target};
    if (circuit.versus)
        request.capture.watched.push_back(*circuit.versus);
    return request;
}

void checkPair(const RunRequest& clean, const RunRequest& corrupted, const CircuitRequest& request)
{
    checkRequest(clean);
    checkRequest(corrupted);
    if (clean.model != corrupted.model)
        fail(ErrorCode::BadRequest,
             "The clean and the corrupted prompt run on different models; use one model for both.");
    if (clean.tokens.size() != corrupted.tokens.size())
        fail(ErrorCode::BadRequest, "The clean prompt has " +
                                        formatCount(static_cast<std::int64_t>(clean.tokens.size())) +
                                        " tokens and the corrupted one " +
                                        formatCount(static_cast<std::int64_t>(corrupted.tokens.size())) +
                                        "; change words so that both have the same number.");
    if (clean.tokens == corrupted.tokens)
        fail(ErrorCode::BadRequest,
             "The clean and the corrupted prompt are the same; change the word that the answer hangs on.");
    checkTargets(request.target, request.versus);
    if (!(request.level > 0 && request.level <= 1))
        fail(ErrorCode::BadRequest, "An explained effect reaches from 0 to 1; choose a level in between.");
}

/// The runs behind one circuit, on one engine.
class CircuitSearch {
public:
    CircuitSearch(Engine& engine, const CircuitRequest& request, const Hooks& hooks)
        : m_engine(engine), m_request(request), m_hooks(hooks),
          m_shape(request.clean.model->spec().headShape()), m_clean(lean(request.clean, request)),
          m_corrupted(lean(request.corrupted, request))
    {
        m_circuit.level = request.level;
        m_circuit.shape = m_shape;
        m_circuit.tokens = static_cast<int>(request.clean.tokens.size());
    }

    Circuit find()
    {
        m_total = kBaseRuns + m_shape.total() + static_cast<int>(firstCounts().size());
        m_circuit.clean = keepOutputs(m_clean, m_cleanOutputs);
        m_circuit.corrupted = keepOutputs(m_corrupted, m_corruptedOutputs);
        if (std::abs(m_circuit.clean - m_circuit.corrupted) < kLeastDifference)
            fail(ErrorCode::BadRequest,
                 "The clean and the corrupted prompt give the same logits, so there is no effect to explain; "
                 "choose a corrupted prompt with another answer, or another target.");
        m_circuit.none = metricsOf(m_clean, {allBut(0)}).front();
        if (std::abs(m_circuit.clean - m_circuit.none) < kLeastDifference)
            fail(ErrorCode::BadRequest,
                 "The last token alone makes the difference between the prompts, so no head carries it; "
                 "let both prompts end in the same token.");
        rankHeads();
        traceCurve();
        m_hooks.report(m_total, m_total);
        return std::move(m_circuit);
    }

private:
    static constexpr int kBaseRuns = 3;

    std::vector<int> firstCounts() const { return curveCounts(m_shape.total(), kEveryCountUpTo, 1.25); }

    /// The metric of the run with each of these sets of heads ablated beyond its own.
    std::vector<double> metricsOf(const RunRequest& run, std::vector<Ablations> variants)
    {
        const int count = static_cast<int>(variants.size());
        const VariantRequest request{run, std::move(variants), m_request.target, m_request.versus,
                                     /*loss=*/false};
        const auto progress = [this](int done, int) { m_hooks.report(m_done + done, m_total); };
        std::vector<double> metrics;
        for (const VariantReading& reading :
             orThrow(m_engine.runVariants(request, {progress, m_hooks.stop})).variants)
            metrics.push_back(finite(reading.logitDifference));
        m_done = std::min(m_done + count, m_total);
        return metrics;
    }

    static double finite(double metric)
    {
        if (!std::isfinite(metric))
            fail(ErrorCode::Unsupported, "The model's logits are no finite numbers; load it as float32.");
        return metric;
    }

    double keepOutputs(RunRequest request, std::shared_ptr<const HeadOutputs>& outputs)
    {
        m_hooks.throwIfCancelled();
        m_hooks.report(m_done++, m_total);
        request.capture.headOutputs = true;
        const RunResult result = orThrow(m_engine.run(request, {{}, m_hooks.stop}));
        outputs = result.headOutputs;
        const std::vector<Prediction>& watched = result.watched;
        return finite(watched[0].logit - (watched.size() > 1 ? watched[1].logit : 0));
    }

    void rankHeads()
    {
        std::vector<Ablations> patches;
        for (int index = 0; index < m_shape.total(); ++index)
            patches.push_back({{m_shape.at(index), {HeadAblation::Kind::Replace, m_cleanOutputs}}});
        const std::vector<double> metrics = metricsOf(m_corrupted, std::move(patches));
        for (int index = 0; index < m_shape.total(); ++index)
            m_circuit.units.push_back({m_shape.at(index), std::nullopt,
                                       (metrics[index] - m_circuit.corrupted) /
                                           (m_circuit.clean - m_circuit.corrupted),
                                       NAN});
        std::stable_sort(m_circuit.units.begin(), m_circuit.units.end(),
                         [](const CircuitUnit& a, const CircuitUnit& b) {
                             return std::abs(a.effect) > std::abs(b.effect);
                         });
    }

    /// Every head but the best `count` as in the corrupted run; before the ranking, every head.
    Ablations allBut(int count) const
    {
        Ablations patched;
        for (int index = 0; index < m_shape.total(); ++index)
            patched[m_shape.at(index)] = {HeadAblation::Kind::Replace, m_corruptedOutputs};
        for (int rank = 0; rank < count; ++rank)
            patched.erase(m_circuit.units[rank].head);
        return patched;
    }

    std::map<int, double> explainedBy(const std::vector<int>& counts)
    {
        std::vector<Ablations> patches;
        for (const int count : counts)
            patches.push_back(allBut(count));
        const std::vector<double> metrics = metricsOf(m_clean, std::move(patches));
        std::map<int, double> effects;
        for (std::size_t index = 0; index < counts.size(); ++index)
            effects[counts[index]] = (metrics[index] - m_circuit.none) / (m_circuit.clean - m_circuit.none);
        return effects;
    }

    void traceCurve()
    {
        std::map<int, double> effects = explainedBy(firstCounts());
        effects[0] = 0;
        const auto reaches = [&](const auto& point) { return point.second >= m_circuit.level - kRounding; };
        // Between the last count below the level and the first that reaches it, closer and closer.
        auto first = std::find_if(effects.begin(), effects.end(), reaches);
        while (first != effects.begin() && first->first - std::prev(first)->first > 1) {
            effects.merge(explainedBy({(first->first + std::prev(first)->first) / 2}));
            first = std::find_if(effects.begin(), effects.end(), reaches);
        }
        m_circuit.smallest = first->first;
        for (const auto& [count, effect] : effects)
            m_circuit.curve.push_back({count, effect});
    }

    static constexpr double kRounding = 1e-5;

    Engine& m_engine;
    const CircuitRequest& m_request;
    const Hooks& m_hooks;
    HeadShape m_shape;
    RunRequest m_clean;
    RunRequest m_corrupted;
    std::shared_ptr<const HeadOutputs> m_cleanOutputs;
    std::shared_ptr<const HeadOutputs> m_corruptedOutputs;
    Circuit m_circuit;
    int m_done = 0;
    int m_total = 0;
};

}  // namespace

Result<Circuit> findCircuit(Engine& engine, const CircuitRequest& request, const Hooks& hooks,
                            const CircuitNews& news)
{
    return guarded([&] {
        checkPair(lean(request.clean, request), lean(request.corrupted, request), request);
        Circuit circuit = CircuitSearch(engine, request, hooks).find();
        if (news)
            news(circuit);
        return circuit;
    });
}

}  // namespace hs
