#pragma once

#include "base/enum_words.h"
#include "base/hooks.h"
#include "base/result.h"
#include "engine/request/run_request.h"
#include "engine/request/run_result.h"
#include "engine/run/attribution.h"
#include "engine/run/head_write.h"
#include "engine/run/lens.h"
#include "engine/run/paths.h"
#include "engine/run/saliency.h"
#include "engine/run/variants.h"

#include <functional>
#include <memory>
#include <type_traits>

namespace hs::engine {

class RunMemory;

enum class MapKind {
    Weights,        // effective attention, the gate applied
    Scores,         // scaled scores before the softmax; -inf where a query may not look
    Gate,           // 1 where the gate is open (without one: where a query may look)
    ValueWeighted,  // weight times the norm of what the key's value writes to the residual
};

constexpr auto enumWords(MapKind)
{
    return std::to_array<EnumWord<MapKind>>({{MapKind::Weights, "weights"},
                                             {MapKind::Scores, "scores"},
                                             {MapKind::Gate, "gate"},
                                             {MapKind::ValueWeighted, "value-weighted"}});
}

/// Whether a map has a meaning for spans of tokens: its cells add up over keys.
constexpr bool addsUp(MapKind kind)
{
    return kind == MapKind::Weights || kind == MapKind::ValueWeighted;
}
/// What the user is told of the others.
inline constexpr const char* kNotOfBlocks =
    "Scores and gates of tokens do not add up to those of blocks; look at tokens instead.";

/// Called on the running thread after each step of a run. `soFar` makes the result of the layers computed by
/// then, as of a model that ends with them, without predictions; it may be called only meanwhile.
using LayerNews = std::function<void(const std::function<RunResult()>& soFar)>;

/// Runs requests, one at a time, and remembers the last one: the residual stream entering each layer is
/// kept, so a request that first differs in layer l starts there, with equal results. What is kept is
/// dropped before a run is refused for lack of memory, and after one that ran out of it. Owned and called
/// by one thread.
class Engine {
public:
    Engine();
    ~Engine();

    Result<RunResult> run(const RunRequest& request, const Hooks& hooks = {}, const LayerNews& news = {});

    /// Full maps of one layer of a run, for opening a head; of its spans, if it has any. [head, query, key]
    Result<LayerMap> layerMaps(const RunRequest& request, int layer, MapKind kind, const Hooks& hooks = {});

    /// The weight of one cell in every head of a run. [layer * head]
    Result<std::vector<float>> cellWeights(const RunRequest& request, int query, int key,
                                           const Hooks& hooks = {});

    /// What each part of the model contributes directly to the logit of a token of a run.
    Result<Attribution> attribute(const AttributionRequest& request, const Hooks& hooks = {});

    /// What the model would predict after each of its layers: at the captured position or, without one, at all;
    /// its most probable tokens and the watched ones. `withHalves`: also between attention and MLP.
    Result<Lens> lens(const RunRequest& request, bool withHalves, const Hooks& hooks = {});

    /// What a head, what it brings from one key, or an MLP adds to all logits where the run is read; lists as many tokens as
    /// the run captures predictions.
    Result<HeadWrite> headWrite(const RunRequest& request, HeadId head, std::optional<int> key = {},
                                const Hooks& hooks = {});

    /// How a run's answer changes with more heads ablated, for many sets of heads side by side; equal to
    /// separate runs up to rounding.
    Result<VariantResult> runVariants(const VariantRequest& request, const Hooks& hooks = {},
                                      const VariantNews& news = {});

    /// How the logit of `target` minus that of `versus`, where the run is read, changes with every head's and every
    /// MLP's output: one pass forward and one backward for all of them.
    Result<std::shared_ptr<const HeadOutputs>> headGradients(const RunRequest& run, std::int64_t target,
                                                             std::optional<std::int64_t> versus,
                                                             const Hooks& hooks = {});

    /// The logit of the target minus that of versus with each path patched by itself; other readings are not taken.
    Result<VariantResult> runPaths(const PathRequest& request, const Hooks& hooks = {},
                                   const VariantNews& news = {});

    /// What each path changes in it, by integrated gradients: far cheaper for many paths. [path]
    Result<std::vector<double>> estimatePaths(const PathRequest& request, const Hooks& hooks = {});

    /// How much each token of the prompt does for the logit of a token.
    Result<Saliency> saliency(const SaliencyRequest& request, const Hooks& hooks = {});

private:
    template <class Check, class Work>
    auto withinMemory(const RunRequest& run, const Check& check, const Work& work)
        -> Result<std::invoke_result_t<Work>>;
    void forget();

    std::unique_ptr<RunMemory> m_memory;
};

}  // namespace hs::engine
