#include "engine/variants_tensors.h"

#include "base/failure.h"
#include "engine/forecast.h"
#include "engine/request_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace hs {
namespace {

// Numbers that the widest step of a portion of variants may take.
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 27;

Ablations together(Ablations base, const Ablations& more)
{
    for (const auto& [head, ablation] : more)
        base[head] = ablation;
    return base;
}

int firstLayer(const Ablations& ablations, int layers)
{
    return ablations.empty() ? layers : ablations.begin()->first.layer;
}

/// The variants of one request, a portion at a time.
class VariantPass {
public:
    VariantPass(RunMemory& memory, const VariantRequest& request, const Hooks& hooks)
        : m_memory(memory), m_request(request), m_hooks(hooks), m_spec(request.run.model->spec()),
          m_length(static_cast<std::int64_t>(request.run.tokens.size())),
          m_one(*request.run.model, request.run.tokens)
    {
        m_memory.advance(request.run, m_one, m_spec.layers, hooks);
    }

    VariantResult run()
    {
        VariantResult result;
        const at::Tensor last = m_memory.residual(m_spec.layers);
        m_baseline = at::log_softmax(m_one.logits(last.narrow(0, m_length - 1, 1))[0], 0, at::kDouble);
        result.baseline = read(last).front();
        result.variants.resize(m_request.variants.size());

        // Those that join late come last, so that a portion runs few layers for few of its variants.
        std::vector<int> order(m_request.variants.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(
            order, {}, [&](int variant) { return firstLayer(m_request.variants[variant], m_spec.layers); });
        for (std::span<const int> rest(order); !rest.empty();) {
            const std::size_t count = std::min(rest.size(), atOnce());
            const std::vector<VariantReading> readings = runPortion(rest.first(count));
            for (std::size_t index = 0; index < count; ++index)
                result.variants[rest[index]] = readings[index];
            rest = rest.subspan(count);
            m_hooks.report(static_cast<int>(order.size() - rest.size()), static_cast<int>(order.size()));
        }
        return result;
    }

private:
    std::size_t atOnce() const
    {
        const std::int64_t upWidth =
            static_cast<std::int64_t>(m_spec.intermediate) * (m_spec.hasGatedMlp ? 2 : 1);
        const std::int64_t widest =
            std::max({upWidth, static_cast<std::int64_t>(m_spec.queryWidth()) + 2 * m_spec.kvWidth(),
                      static_cast<std::int64_t>(m_spec.heads) * m_length});
        return static_cast<std::size_t>(std::max<std::int64_t>(1, kMostNumbers / (widest * m_length)));
    }

    std::vector<VariantReading> runPortion(std::span<const int> variants)
    {
        std::vector<Ablations> ablations;  // of those that run already
        at::Tensor residual;               // [variant * query, hidden]
        std::size_t joined = 0;
        const auto joinsAt = [&](std::size_t index, int layer) {
            return firstLayer(m_request.variants[variants[index]], m_spec.layers) == layer;
        };
        for (int layer = 0; layer < m_spec.layers; ++layer) {
            m_hooks.throwIfCancelled();
            at::Tensor z;  // [variant * query, head, head size]
            if (joined > 0) {
                const Decoder decoder = m_one.repeated(static_cast<std::int64_t>(joined));
                z = attend(decoder.project(layer, residual), decoder.hiddenCells(layer), m_request.run.gate,
                           {}, static_cast<std::int64_t>(joined));
            }
            std::size_t joining = 0;
            while (joined + joining < variants.size() && joinsAt(joined + joining, layer))
                ++joining;
            if (joining > 0) {
                const auto count = static_cast<std::int64_t>(joining);
                const at::Tensor& entering = m_memory.residual(layer);
                const at::Tensor own =
                    attend(m_one.project(layer, entering), m_one.hiddenCells(layer), m_request.run.gate, {});
                append(residual, entering.repeat({count, 1}));
                append(z, own.repeat({count, 1, 1}));
                for (std::size_t index = joined; index < joined + joining; ++index)
                    ablations.push_back(
                        together(m_request.run.ablations, m_request.variants[variants[index]]));
                joined += joining;
            }
            if (joined == 0)
                continue;
            for (std::size_t index = 0; index < joined; ++index)
                ablate(z.narrow(0, static_cast<std::int64_t>(index) * m_length, m_length), layer,
                       ablations[index]);
            residual = m_one.finishLayer(layer, residual, z);
        }
        // Those that ablate nothing join at the very end.
        if (joined < variants.size())
            append(residual, m_memory.residual(m_spec.layers)
                                 .repeat({static_cast<std::int64_t>(variants.size() - joined), 1}));
        return read(residual);
    }

    static void append(at::Tensor& rows, const at::Tensor& more)
    {
        rows = rows.defined() ? at::cat({rows, more}) : more;
    }

    /// Reads every prompt of a residual. [prompt * query, hidden]
    std::vector<VariantReading> read(const at::Tensor& residual) const
    {
        const std::int64_t prompts = residual.size(0) / m_length;
        const at::Tensor ends = residual.view({prompts, m_length, residual.size(1)}).select(1, m_length - 1);
        const at::Tensor losses = m_request.loss ? lossesOf(residual) : at::Tensor();  // [prompt]
        std::vector<VariantReading> readings;
        for (std::int64_t first = 0; first < prompts; first += kLogitChunk) {
            const at::Tensor logits =
                m_one.logits(ends.narrow(0, first, std::min(kLogitChunk, prompts - first)));
            const at::Tensor logProbabilities = at::log_softmax(logits, 1, at::kDouble);
            const at::Tensor divergence =
                (m_baseline.exp() * (m_baseline - logProbabilities)).sum(1).to(at::kCPU);
            const at::Tensor onHost = logits.to(at::kCPU);
            const at::Tensor target = logProbabilities.select(1, m_request.target).exp().to(at::kCPU);
            for (std::int64_t row = 0; row < logits.size(0); ++row) {
                VariantReading reading;
                reading.logit = onHost[row][m_request.target].item<double>();
                reading.logitDifference =
                    reading.logit - (m_request.versus ? onHost[row][*m_request.versus].item<double>() : 0);
                reading.probability = target[row].item<double>();
                reading.divergence = std::max(0.0, divergence[row].item<double>());
                reading.loss = losses.defined() ? losses[first + row].item<double>() : NAN;
                readings.push_back(reading);
            }
        }
        return readings;
    }

    at::Tensor lossesOf(const at::Tensor& residual) const  // [prompt] double
    {
        const std::int64_t rows = residual.size(0);
        at::Tensor next = at::zeros({m_length, 1}, at::kLong);
        std::copy(m_request.run.tokens.begin() + 1, m_request.run.tokens.end(),
                  next.data_ptr<std::int64_t>());
        const at::Tensor targets = next.to(residual.device()).repeat({rows / m_length, 1});
        std::vector<at::Tensor> chunks;
        for (std::int64_t first = 0; first < rows; first += kLogitChunk) {
            const std::int64_t count = std::min(kLogitChunk, rows - first);
            const at::Tensor logits = m_one.logits(residual.narrow(0, first, count));
            const at::Tensor chosen = logits.gather(1, targets.narrow(0, first, count)).squeeze(1);
            chunks.push_back(at::logsumexp(logits, 1) - chosen);
        }
        const at::Tensor each = at::cat(chunks).view({rows / m_length, m_length}).narrow(1, 0, m_length - 1);
        return each.mean(1, /*keepdim=*/false, at::kDouble).to(at::kCPU);
    }

    RunMemory& m_memory;
    const VariantRequest& m_request;
    const Hooks& m_hooks;
    const ArchSpec& m_spec;
    std::int64_t m_length;
    Decoder m_one;
    at::Tensor m_baseline;  // [vocabulary] double, log probabilities
};

}  // namespace

VariantResult runVariants(RunMemory& memory, const VariantRequest& request, const Hooks& hooks)
{
    return VariantPass(memory, request, hooks).run();
}

}  // namespace hs
