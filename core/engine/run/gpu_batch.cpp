#include "engine/run/gpu_batch_tensors.h"

#ifdef HS_WITH_CUDA
#include "cuda/attention_patterns.h"
#include "cuda/map_sums.h"
#include "engine/load/model.h"
#include "engine/run/pooled_attention_tensors.h"
#include "engine/run/run_memory_tensors.h"

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <ATen/Parallel.h>

#include <cstring>
#endif

namespace hs::engine {

#ifdef HS_WITH_CUDA

namespace {

cuda::Precision precisionOf(at::ScalarType type)
{
    if (type == at::kFloat)
        return cuda::Precision::Float;
    return type == at::kHalf ? cuda::Precision::Half : cuda::Precision::Bfloat16;
}

/// Sums of the maps of all layers, on the GPU. [layer, head, query, key]
struct DeviceTotals {
    at::Tensor sums;     // with a last dimension of two halves, int64
    at::Tensor squares;  // likewise
    at::Tensor largest;  // float

    DeviceTotals() = default;
    DeviceTotals(const at::TensorOptions& place, at::IntArrayRef cells)
        : sums(at::zeros(halvesOf(cells), place.dtype(at::kLong))), squares(at::zeros_like(sums)),
          largest(at::zeros(cells, place.dtype(at::kFloat)))
    {
    }

    static std::vector<std::int64_t> halvesOf(at::IntArrayRef cells)
    {
        std::vector<std::int64_t> sizes = cells.vec();
        sizes.push_back(2);
        return sizes;
    }
};

/// On its way into memory that the GPU writes by itself.
at::Tensor sentHome(const at::Tensor& tensor)
{
    return at::empty(tensor.sizes(), at::TensorOptions(tensor.scalar_type()).pinned_memory(true))
        .copy_(tensor, /*non_blocking=*/true);
}

template <class T>
void copyOut(const at::Tensor& home, std::vector<T>& target)
{
    target.resize(home.nbytes() / sizeof(T));
    std::memcpy(static_cast<void*>(target.data()), home.data_ptr(), home.nbytes());
}

class CudaBatch final : public GpuBatch {
public:
    CudaBatch(const RunRequest& request, const at::Tensor& tokens, std::int64_t counted, bool addsUpMaps)
        : m_request(request), m_spec(request.model->spec()), m_tokens(tokens), m_counted(counted),
          m_hasMaps(request.capture.fullMaps), m_prompts(tokens.size(0)), m_length(tokens.size(1))
    {
        const at::TensorOptions place(tokens.device());
        const std::int64_t slots = m_prompts * m_spec.heads, side = tileSideOf(request);
        m_tiles = at::empty({m_spec.layers, slots, side, side}, place.dtype(at::kByte));
        m_sums = at::empty({m_spec.layers, slots, std::int64_t(sizeof(stats::PatternSums) / sizeof(double))},
                           place.dtype(at::kDouble));
        if (addsUpMaps)
            m_totals = DeviceTotals(place, {m_spec.layers, m_spec.heads, m_length, m_length});
    }

    void attend(int layer, const at::Tensor& turned, const at::Tensor& z) override
    {
        const auto stream = c10::cuda::getCurrentCUDAStream(m_tokens.device().index()).stream();
        const at::Tensor packed = turned.contiguous();
        at::Tensor maps;
        if (m_hasMaps || m_totals.sums.defined())
            maps = at::empty({m_prompts, m_spec.heads, m_length, m_length},
                             at::TensorOptions(m_tokens.device()).dtype(at::kFloat));
        if (m_hasMaps)
            maps.zero_();  // what is added up has no cells with a later key
        cuda::PatternProblem problem =
            patternProblem(m_spec, layer, m_request.gate, static_cast<int>(m_length), tileSideOf(m_request),
                           m_request.capture.threshold);
        problem.prompts = static_cast<int>(m_prompts);
        problem.precision = precisionOf(packed.scalar_type());
        problem.qkv = packed.data_ptr();
        problem.tokens = m_tokens.data_ptr<std::int32_t>();
        if (!m_scratch.defined())
            m_scratch =
                at::zeros({static_cast<std::int64_t>(cuda::patternScratchBytes(problem))}, m_tiles.options());
        cuda::PatternResult result;
        result.z = z.data_ptr();
        result.tiles = m_tiles[layer].data_ptr<std::uint8_t>();
        result.sums = reinterpret_cast<stats::PatternSums*>(m_sums[layer].data_ptr<double>());
        result.scratch = static_cast<std::byte*>(m_scratch.data_ptr());
        result.maps = maps.defined() ? maps.data_ptr<float>() : nullptr;
        cuda::attentionPatterns(problem, result, stream);
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        if (m_totals.sums.defined()) {
            cuda::MapSums sums{static_cast<int>(m_counted),
                               m_spec.heads,
                               static_cast<int>(m_length),
                               maps.data_ptr<float>(),
                               static_cast<cuda::MapUnits*>(m_totals.sums[layer].data_ptr()),
                               static_cast<cuda::MapUnits*>(m_totals.squares[layer].data_ptr()),
                               m_totals.largest[layer].data_ptr<float>()};
            cuda::addMaps(sums, stream);
            C10_CUDA_KERNEL_LAUNCH_CHECK();
        }
        if (m_hasMaps)
            m_maps.push_back(sentHome(maps));
    }

    std::vector<std::vector<LayerRecord>> finish(std::span<const stats::SummaryRules> rules) override
    {
        const at::Tensor tiles = sentHome(m_tiles);
        const at::Tensor sums = sentHome(m_sums);
        wait();  // for the maps as well
        std::vector<std::vector<LayerRecord>> records(rules.size());
        at::parallel_for(0, std::ssize(rules), 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t prompt = begin; prompt < end; ++prompt)
                for (int layer = 0; layer < m_spec.layers; ++layer)
                    records[prompt].push_back(recordOf(layer, prompt, rules[prompt], tiles, sums));
        });
        return records;
    }

    void takeTotals(stats::MapTotals& totals) override
    {
        const at::Tensor sums = sentHome(m_totals.sums);
        const at::Tensor squares = sentHome(m_totals.squares);
        const at::Tensor largest = sentHome(m_totals.largest);
        wait();
        copyOut(sums, totals.sums);
        copyOut(squares, totals.squares);
        copyOut(largest, totals.largest);
    }

private:
    void wait() const { c10::cuda::getCurrentCUDAStream(m_tokens.device().index()).synchronize(); }

    LayerRecord recordOf(int layer, std::int64_t prompt, const stats::SummaryRules& rules,
                         const at::Tensor& tiles, const at::Tensor& sums) const
    {
        LayerRecord record;
        const std::int64_t slot = (layer * m_prompts + prompt) * m_spec.heads;
        // Parts of what came home, which lives as long as one of them is needed.
        const auto part = [](const at::Tensor& whole, const auto* first) {
            return std::shared_ptr<std::remove_pointer_t<decltype(first)>[]>(
                std::make_shared<at::Tensor>(whole), first);
        };
        const std::int64_t tileCells = tiles.size(2) * tiles.size(3);
        record.tiles = part(tiles, static_cast<const std::uint8_t*>(tiles.data_ptr()) + slot * tileCells);
        if (m_hasMaps) {
            const at::Tensor& maps = m_maps[static_cast<std::size_t>(layer)];
            record.map = part(maps, static_cast<const float*>(maps.data_ptr()) +
                                        prompt * m_spec.heads * m_length * m_length);
        }
        const auto* const ofHeads =
            reinterpret_cast<const stats::PatternSums*>(sums.data_ptr<double>()) + slot;
        record.stats.reserve(static_cast<std::size_t>(m_spec.heads));
        for (int head = 0; head < m_spec.heads; ++head) {
            record.stats.push_back(stats::statsOf(ofHeads[head], rules.pattern, rules.repeats.count()));
            record.activeCells += static_cast<std::int64_t>(ofHeads[head].open);
        }
        return record;
    }

    const RunRequest& m_request;
    const model::ArchSpec& m_spec;
    at::Tensor m_tokens;
    std::int64_t m_counted;
    bool m_hasMaps;
    std::int64_t m_prompts;
    std::int64_t m_length;
    at::Tensor m_tiles;  // [layer, prompt * head, row, column]
    at::Tensor m_sums;   // [layer, prompt * head, sum]
    at::Tensor m_scratch;
    DeviceTotals m_totals;           // undefined where maps are not added up
    std::vector<at::Tensor> m_maps;  // [layer] of [prompt, head, query, key], on their way home
};

}  // namespace

bool canBatchOnGpu(const RunRequest& request)
{
    const model::ArchSpec& spec = request.model->spec();
    return !spec.scoreCap && spec.headDim <= cuda::kMostPatternDim &&
           tileSideOf(request) <= cuda::kMostTileSide &&
           std::ranges::all_of(request.ablations, [](const auto& ablation) {
               return ablation.second.kind == HeadAblation::Kind::Zero ||
                      ablation.second.kind == HeadAblation::Kind::Mean;
           });
}

std::unique_ptr<GpuBatch> makeGpuBatch(const RunRequest& request, const at::Tensor& tokens,
                                       std::int64_t counted, bool addsUpMaps)
{
    return std::make_unique<CudaBatch>(request, tokens, counted, addsUpMaps);
}

#else

bool canBatchOnGpu(const RunRequest&)
{
    return false;
}

std::unique_ptr<GpuBatch> makeGpuBatch(const RunRequest&, const at::Tensor&, std::int64_t, bool)
{
    return nullptr;
}

#endif

}  // namespace hs::engine
