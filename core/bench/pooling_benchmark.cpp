#include "base/failure.h"
#include "base/timing.h"
#include "bench/benchmark.h"
#include "bench/benchmark_models.h"
#include "engine/run/decoder_tensors.h"
#include "engine/run/engine.h"
#include "engine/run/pooled_attention_tensors.h"
#include "model/architectures.h"

#include <algorithm>

namespace hs::bench {
namespace {

constexpr int kTokens = 1024;
constexpr int kMostRounds = 5;

/// The attention of all layers, from the same projections, both ways.
class AttentionAlone {
public:
    explicit AttentionAlone(const engine::RunRequest& request)
        : m_spec(request.model->spec()), m_decoder(*request.model, request.tokens),
          m_packed(m_decoder.packedProjections(0, m_decoder.embed())),
          m_tokens(m_decoder.tokens().flatten().to(at::kInt)), m_repeats(request.tokens),
          m_rules{m_repeats, kTokens, request.capture.tileSide, request.capture.threshold}
    {
    }

    bool canPool() const { return engine::canPoolAttention(m_packed.device()); }

    void pool() const
    {
        std::vector<engine::LayerAttention> kept;
        for (int layer = 0; layer < m_spec.layers; ++layer)
            kept.push_back(engine::poolAttention(m_spec, layer, m_decoder.turned(layer, m_packed), m_tokens,
                                                 {}, m_rules));
    }

    void keepMaps() const
    {
        std::vector<engine::LayerRecord> kept;
        for (int layer = 0; layer < m_spec.layers; ++layer) {
            engine::LayerRecorder recorder(m_spec.heads, m_rules, stats::causalCells(kTokens),
                                           /*keepsMap=*/true);
            engine::attend(m_decoder.unpack(layer, m_packed), m_decoder.hiddenCells(layer), {},
                           [&](const engine::PatternChunk& chunk) { recorder.take(chunk); });
            kept.push_back(recorder.finish());
        }
    }

private:
    const c10::InferenceMode m_noGradients;
    const model::ArchSpec& m_spec;
    engine::Decoder m_decoder;
    at::Tensor m_packed;  // [query, q | k | v]
    at::Tensor m_tokens;  // [query] int32
    stats::RepeatedTokens m_repeats;
    stats::SummaryRules m_rules;
};

/// Times two ways to the same result, in turn.
struct Race {
    std::vector<double> pooled, mapped;

    void run(const std::function<void()>& pool, const std::function<void()>& keepMaps)
    {
        pooled.push_back(milliseconds(pool));
        mapped.push_back(milliseconds(keepMaps));
    }

    std::vector<Measurement> result(const std::string& name, const std::string& what,
                                    const std::string& goal) const
    {
        return {{"pooled_" + name + "_ms", median(pooled), "ms", what + " without maps"},
                {"mapped_" + name + "_ms", median(mapped), "ms", what + " with all maps"},
                {"pooled_" + name + "_speedup", median(mapped) / median(pooled), "x", goal}};
    }
};

std::vector<Measurement> measurePooling(const Options& options, const Hooks& hooks)
{
    const model::ArchSpec spec = orThrow(model::readArchSpec(gpt2SmallConfig()));
    const engine::RunRequest pooled =
        benchmarkRequest(orThrow(engine::randomModel(spec, 1, options.place)), kTokens);
    engine::RunRequest mapped = pooled;
    mapped.capture.fullMaps = true;
    const int rounds = std::min(options.rounds, kMostRounds);
    Race attentions, runs;
    for (int round = 0; round < rounds; ++round) {
        hooks.throwIfCancelled();
        hooks.report(round, rounds);
        if (const AttentionAlone attention(mapped); attention.canPool())
            attentions.run([&] { attention.pool(); }, [&] { attention.keepMaps(); });
        runs.run([&] { orThrow(engine::Engine().run(pooled)); },
                 [&] { orThrow(engine::Engine().run(mapped)); });
    }
    std::vector<Measurement> all = runs.result("run", "a run of 1,024 tokens", "both in turn");
    if (!attentions.pooled.empty())
        for (Measurement& measurement :
             attentions.result("attention", "attention of its layers alone", "goal on the CPU: at least 2"))
            all.push_back(std::move(measurement));
    return all;
}

}  // namespace

Result<std::vector<Measurement>> benchmarkPooling(const Options& options, const Hooks& hooks)
{
    return guarded([&] { return measurePooling(options, hooks); });
}

}  // namespace hs::bench
