#include "engine/run/engine.h"

#include "base/failure.h"
#include "base/timing.h"
#include "engine/device/device_tensors.h"
#include "engine/run/attribution_tensors.h"
#include "engine/run/head_gradients_tensors.h"
#include "engine/run/lenses_tensors.h"
#include "engine/run/paths_tensors.h"
#include "engine/run/pattern_edits_tensors.h"
#include "engine/run/readout_tensors.h"
#include "engine/run/request_check.h"
#include "engine/run/run_memory_tensors.h"
#include "engine/run/run_room.h"
#include "engine/run/variants_tensors.h"
#include "stats/span_fold.h"

#include <algorithm>

namespace hs::engine {
namespace {

/// Maps of some heads folded to spans. [head, query, key] → [head, span, span]
at::Tensor folded(const at::Tensor& maps, const TokenSpans& spans)
{
    const at::Tensor onHost = maps.to(at::kCPU, at::kFloat).contiguous();
    const at::Tensor ofSpans = at::empty({maps.size(0), spans.count(), spans.count()}, at::kFloat);
    at::parallel_for(0, maps.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t head = begin; head < end; ++head)
            stats::foldMap(spans, onHost[head].data_ptr<float>(), ofSpans[head].data_ptr<float>());
    });
    return ofSpans;
}

LayerMap toLayerMap(const at::Tensor& maps)  // [head, query, key]
{
    const at::Tensor onHost = maps.to(at::kCPU, at::kFloat).contiguous();
    std::shared_ptr<float[]> copy(new float[static_cast<std::size_t>(onHost.numel())]);
    std::copy_n(onHost.data_ptr<float>(), onHost.numel(), copy.get());
    return copy;
}

}  // namespace

Engine::Engine() : m_memory(std::make_unique<RunMemory>()) {}
Engine::~Engine() = default;

/// Does `work` for a run once it has been checked and there is room for it.
template <class Check, class Work>
auto Engine::withinMemory(const RunRequest& run, const Check& check, const Work& work)
    -> Result<std::invoke_result_t<Work>>
{
    return guarded([&] {
        check();
        if (!m_memory->hasRoomFor(run)) {
            if (!hasRoom(run))
                forget();
            requireRoom(run);
        }
        try {
            return work();
        } catch (const std::exception& exception) {
            for (const Placement::Part& part : run.model->facts().placement.parts)
                requireWorking(part.device, exception.what());
            if (!isOutOfMemory(exception))
                throw;
            forget();
            failForMemory(run, exception.what());
        }
    });
}

void Engine::forget()
{
    m_memory = std::make_unique<RunMemory>();
    giveBackMemory();
}

Result<RunResult> Engine::run(const RunRequest& request, const Hooks& hooks, const LayerNews& news)
{
    Laps laps;
    return withinMemory(
        request, [&] { checkRequest(request); },
        [&] {
            const Tf32Scope precision(request.tf32);
            const c10::InferenceMode noGradients;
            const int layers = request.model->spec().layers;
            const Decoder& decoder = m_memory->decoderOf(request);
            const auto tell = [&] {
                if (news && !m_memory->records().empty())
                    news([&] {
                        RunResult part;
                        collect(request, m_memory->records(), part);
                        return part;
                    });
            };
            RunResult result;
            result.times.preparing = laps.next();
            result.firstLayerComputed = m_memory->queue(request, decoder, layers, hooks, tell);
            result.times.layers = laps.next();
            hooks.report(layers, layers);
            readOut(decoder, *m_memory, request, hooks, result);
            collect(request, m_memory->records(), result);
            result.milliseconds = laps.total();
            return result;
        });
}

Result<LayerMap> Engine::layerMaps(const RunRequest& request, int layer, MapKind kind, const Hooks& hooks)
{
    const auto check = [&] {
        checkRequest(request);
        const int layers = request.model->spec().layers;
        if (layer < 0 || layer >= layers)
            fail(ErrorCode::BadRequest, "There is no layer " + std::to_string(layer) + "; the last one is " +
                                            std::to_string(layers - 1) + ".");
        if (request.fold() && !addsUp(kind))
            fail(ErrorCode::BadRequest, kNotOfBlocks);
    };
    return withinMemory(request, check, [&]() -> LayerMap {
        const model::ArchSpec& spec = request.model->spec();
        const Tf32Scope precision(request.tf32);
        const c10::InferenceMode noGradients;
        const Decoder decoder(request, request.tokens);
        m_memory->advance(request, decoder, layer, hooks);
        const Projections projections = decoder.project(layer, m_memory->residual(layer));
        const at::Tensor norms =
            kind == MapKind::ValueWeighted ? decoder.messageNorms(layer, projections) : at::Tensor();
        const auto length = static_cast<std::int64_t>(request.tokens.size());
        const std::int64_t places = request.places();
        at::Tensor maps = at::empty({spec.heads, places, places}, at::kFloat);
        const PatternEdits edits({&request.ablations, 1}, layer, spec.heads, {0, length});
        attend(projections, decoder.hiddenCells(layer), request.gate, [&](PatternChunk& chunk) {
            edits.apply(chunk);
            const std::int64_t heads = chunk.weights.size(0);
            at::Tensor part = chunk.weights;
            if (kind == MapKind::Scores)
                part = chunk.scores;
            else if (kind == MapKind::Gate)
                part = chunk.open.defined() ? chunk.open : at::isfinite(chunk.scores);
            else if (kind == MapKind::ValueWeighted)
                part = chunk.weights * norms.narrow(0, chunk.firstHead, heads).unsqueeze(1);
            maps.narrow(0, chunk.firstHead, heads).copy_(request.fold() ? folded(part, request.spans) : part);
        });
        return toLayerMap(maps);
    });
}

Result<std::vector<float>> Engine::cellWeights(const RunRequest& request, int query, int key,
                                               const Hooks& hooks)
{
    const auto check = [&] {
        checkRequest(request);
        checkPlace(request, query);
        checkPlace(request, key);
    };
    return withinMemory(request, check, [&] {
        const Tf32Scope precision(request.tf32);
        const c10::InferenceMode noGradients;
        const int layers = request.model->spec().layers;
        const Decoder decoder(request, request.tokens);
        const TokenSpans* const spans = request.fold();
        const auto narrowed = [&](const at::Tensor& weights, int axis, int place) {
            return spans ? weights.narrow(axis, spans->begin(place), spans->size(place))
                         : weights.narrow(axis, place, 1);
        };
        std::vector<float> cells;  // [layer * head]
        for (int layer = 0; layer < layers; ++layer) {
            m_memory->advance(request, decoder, layer, hooks);
            hooks.report(layer, layers);
            const PatternEdits edits({&request.ablations, 1}, layer, request.model->spec().heads,
                                     {0, static_cast<std::int64_t>(request.tokens.size())});
            attend(decoder.project(layer, m_memory->residual(layer)), decoder.hiddenCells(layer),
                   request.gate, [&](PatternChunk& chunk) {
                       edits.apply(chunk);
                       const at::Tensor cell = narrowed(narrowed(chunk.weights, 2, key), 1, query)
                                                   .sum(2, /*keepdim=*/false, at::kDouble)
                                                   .mean(1)
                                                   .to(at::kCPU, at::kFloat)
                                                   .contiguous();
                       const float* const data = cell.data_ptr<float>();
                       cells.insert(cells.end(), data, data + cell.numel());
                   });
        }
        hooks.report(layers, layers);
        return cells;
    });
}

Result<Attribution> Engine::attribute(const AttributionRequest& request, const Hooks& hooks)
{
    return withinMemory(
        request.run, [&] { checkRequest(request.run); },
        [&] {
            const Tf32Scope precision(request.run.tf32);
            return attributeRun(*m_memory, request, hooks);
        });
}

Result<Lens> Engine::lens(const RunRequest& request, bool withHalves, const Hooks& hooks)
{
    return withinMemory(
        request, [&] { checkRequest(request); },
        [&] {
            const Tf32Scope precision(request.tf32);
            const c10::InferenceMode noGradients;
            return lensOf(*m_memory, request, withHalves, hooks);
        });
}

Result<HeadWrite> Engine::headWrite(const RunRequest& request, HeadId head, std::optional<int> key,
                                    const Hooks& hooks)
{
    return withinMemory(
        request, [&] { checkHeadWrite(request, head, key); },
        [&] {
            const Tf32Scope precision(request.tf32);
            const c10::InferenceMode noGradients;
            return headWriteOf(*m_memory, request, head, key, hooks);
        });
}

Result<VariantResult> Engine::runVariants(const VariantRequest& request, const Hooks& hooks,
                                          const VariantNews& news)
{
    return withinMemory(
        request.run, [&] { checkVariants(request); },
        [&] {
            const Tf32Scope precision(request.run.tf32);
            const c10::InferenceMode noGradients;
            return hs::engine::runVariants(*m_memory, request, hooks, news);
        });
}

Result<std::shared_ptr<const HeadOutputs>> Engine::headGradients(const RunRequest& run, std::int64_t target,
                                                                 std::optional<std::int64_t> versus,
                                                                 const Hooks& hooks)
{
    return withinMemory(
        run, [&] { checkVariants({run, {}, target, versus}); },
        [&] {
            const Tf32Scope precision(run.tf32);
            return hs::engine::headGradients(*m_memory, run, target, versus, hooks);
        });
}

Result<VariantResult> Engine::runPaths(const PathRequest& request, const Hooks& hooks,
                                       const VariantNews& news)
{
    return withinMemory(
        request.run, [&] { checkPaths(request); },
        [&] {
            const Tf32Scope precision(request.run.tf32);
            return hs::engine::runPaths(*m_memory, request, hooks, news);
        });
}

Result<std::vector<double>> Engine::estimatePaths(const PathRequest& request, const Hooks& hooks)
{
    return withinMemory(
        request.run, [&] { checkPaths(request); },
        [&] {
            const Tf32Scope precision(request.run.tf32);
            return hs::engine::estimatePaths(*m_memory, request, hooks);
        });
}

Result<Saliency> Engine::saliency(const SaliencyRequest& request, const Hooks& hooks)
{
    return withinMemory(
        request.run, [&] { checkSaliency(request); },
        [&] {
            const Tf32Scope precision(request.run.tf32);
            return saliencyOf(request, hooks);
        });
}

}  // namespace hs::engine
