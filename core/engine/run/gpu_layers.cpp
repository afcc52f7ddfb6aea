#include "engine/run/gpu_layers_tensors.h"

#include "engine/run/run_memory_tensors.h"

#ifdef HS_WITH_CUDA
#include "cuda/check.h"
#include "cuda/logit_sum.h"
#include "cuda/recorded_work.h"
#include "cuda/token_losses.h"
#include "engine/device/device_tensors.h"
#include "engine/request/forecast.h"
#include "engine/run/gpu_ops_tensors.h"
#include "engine/run/pattern_edits_tensors.h"
#include "engine/run/pooled_attention_tensors.h"

#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include <algorithm>
#include <map>

namespace hs::engine {

#ifdef HS_WITH_CUDA

namespace {

// Rows that an MLP computes at once: its inner activations are the widest of all.
constexpr std::int64_t kMlpRows = 2048;
constexpr std::int64_t kLeastEditBytes = 4096;
// What cuBLAS assumes for every pointer.
constexpr std::int64_t kAlignment = 256;

std::int64_t alignedUp(std::int64_t bytes)
{
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// A view of `rows` rows into a buffer shared by several uses.
at::Tensor cut(const at::Tensor& buffer, std::int64_t rows, std::int64_t width)
{
    return buffer.narrow(0, 0, rows * width).view({rows, width});
}

class CudaLayers final : public GpuLayers {
public:
    explicit CudaLayers(std::shared_ptr<const Model> model)
        : m_model(std::move(model)), m_spec(m_model->spec()), m_weights(m_model->weights()),
          m_numbers(at::TensorOptions(torchType(m_model->facts().dtype))
                        .device(torchDevice(m_model->facts().device))),
          m_stream(c10::cuda::getStreamFromPool(false, m_numbers.device().index())),
          m_copies(c10::cuda::getStreamFromPool(false, m_numbers.device().index())),
          m_ops(*m_model, m_stream.stream()), m_layers(m_spec.layers)
    {
    }

    ~CudaLayers() override { cudaStreamSynchronize(m_copies.stream()); }

    bool isOf(const Model& model) const override { return m_model.get() == &model; }

    std::shared_ptr<void> enter() override { return std::make_shared<c10::cuda::CUDAStreamGuard>(m_stream); }

    void begin(const RunRequest& request, const Decoder& decoder) override
    {
        // A failed run may have left copies in transit.
        cuda::check(cudaStreamSynchronize(m_copies.stream()));
        const Setting setting{static_cast<int>(request.tokens.size()), tileSideOf(request),
                              request.capture.threshold, request.gate, request.tf32};
        if (setting != m_setting) {
            const bool hasRoom = setting.length == m_setting.length && setting.tileSide == m_setting.tileSide;
            m_setting = setting;
            m_ops.allowTf32(setting.tf32);
            m_wholeLayers.clear();
            for (Layer& layer : m_layers) {
                layer.attention.forget();
                layer.editedAttention.forget();
                layer.rest.forget();
            }
            if (!hasRoom)
                makeBuffers(decoder.frame(0));
        }
        sendEdits({request.ablations, setting.length, 0, m_spec.layers, m_spec.heads});
        m_prompt = decoder.tokens().flatten();
        m_tokens.copy_(m_prompt, /*non_blocking=*/true);
    }

    void setResidual(int layer, const at::Tensor& residual) override
    {
        at::Tensor own = this->residual(layer);
        if (residual.data_ptr() != own.data_ptr())
            own.copy_(residual);
    }

    at::Tensor residual(int layer) const override { return cut(m_residuals[layer], rows(), m_spec.hidden); }

    bool owns(const at::Tensor& residual) const override
    {
        return m_residuals.defined() && residual.storage().data() == m_residuals.storage().data();
    }

    at::Tensor attend(int layer) override
    {
        const bool isEdited = hasEdits(layer);
        cuda::RecordedWork& work = isEdited ? m_layers[layer].editedAttention : m_layers[layer].attention;
        work.run(m_stream.stream(), [&] { queueAttention(layer, isEdited); });
        return m_z;
    }

    void finish(int layer) override
    {
        m_layers[layer].rest.run(m_stream.stream(), [&] { queueRest(layer); });
        sendHome(layer, layer + 1);
    }

    void run(int first, int end) override
    {
        m_wholeLayers[{first, end}].run(m_stream.stream(), [&] {
            for (int layer = first; layer < end; ++layer) {
                queueAttention(layer, /*isEdited=*/false);
                queueRest(layer);
            }
        });
        sendHome(first, end);
    }

    void wait() override { cuda::check(cudaStreamSynchronize(m_stream.stream())); }

    LayerRecord take(int layer, const stats::SummaryRules& rules) override
    {
        Layer& state = m_layers[layer];
        m_layers[state.lastOnTheWay].isHome.synchronize();
        LayerRecord record;
        const auto* const bytes = m_summariesAtHome[layer].data_ptr<std::uint8_t>();
        // Results live for as long as somebody shows them, and pinned memory is slow to get.
        const std::shared_ptr<std::uint8_t[]> tiles(new std::uint8_t[static_cast<std::size_t>(m_tileBytes)]);
        std::copy_n(bytes, m_tileBytes, tiles.get());
        record.tiles = tiles;
        const auto* const sums = reinterpret_cast<const stats::PatternSums*>(bytes + m_tileBytes);
        record.stats.reserve(m_spec.heads);
        for (int head = 0; head < m_spec.heads; ++head) {
            record.stats.push_back(stats::statsOf(sums[head], rules.pattern, rules.repeats.count()));
            record.activeCells += static_cast<std::int64_t>(sums[head].open);
        }
        return record;
    }

    void queueLogits(int position) override
    {
        m_ops.norm(residual(m_spec.layers).narrow(0, position, 1), m_weights[model::Role::FinalNormWeight],
                   m_weights[model::Role::FinalNormBias], {}, m_normed);
        m_ops.multiply(m_normed.narrow(0, 0, 1), m_weights[model::Role::Unembedding], {}, {}, m_logits);
        cuda::sumLogits({m_spec.vocabulary, m_ops.precision(), m_logits.data_ptr(),
                         m_wideLogits.data_ptr<float>(), m_logitScratch.data_ptr<float>()},
                        m_stream.stream());
        cuda::check(cudaMemcpyAsync(m_logitsAtHome.data_ptr(), m_wideLogits.data_ptr(),
                                    static_cast<std::size_t>(m_wideLogits.nbytes()), cudaMemcpyDeviceToHost,
                                    m_stream.stream()));
    }

    std::span<const float> logits() override
    {
        cuda::check(cudaStreamSynchronize(m_stream.stream()));
        return {m_logitsAtHome.data_ptr<float>(), static_cast<std::size_t>(m_logitsAtHome.numel())};
    }

    void queueLosses() override
    {
        m_ops.norm(residual(m_spec.layers), m_weights[model::Role::FinalNormWeight],
                   m_weights[model::Role::FinalNormBias], {}, m_normed);
        const std::int64_t scored = rows() - 1;
        // Whole chunks, so that each begins at an aligned address.
        const std::int64_t atOnce = m_wide.numel() / m_spec.vocabulary / kLogitChunk * kLogitChunk;
        for (std::int64_t first = 0; first < scored; first += std::max(atOnce, kLogitChunk)) {
            const std::int64_t count = std::min(std::max(atOnce, kLogitChunk), scored - first);
            const at::Tensor logits = cut(m_wide, count, m_spec.vocabulary);
            m_ops.multiply(m_normed.narrow(0, first, count), m_weights[model::Role::Unembedding], {}, {},
                           logits);
            cuda::LossProblem problem;
            problem.rows = count;
            problem.vocabulary = m_spec.vocabulary;
            problem.precision = m_ops.precision();
            problem.logits = logits.data_ptr();
            problem.targets = m_prompt.data_ptr<std::int64_t>() + first + 1;
            cuda::LossResult result;
            result.crossEntropy = m_losses[0].data_ptr<float>() + first;
            result.logSumExp = m_losses[1].data_ptr<float>() + first;
            cuda::tokenLossesForward(problem, result, m_stream.stream());
        }
        cuda::check(cudaGetLastError());
        cuda::check(cudaMemcpyAsync(m_lossesAtHome.data_ptr(), m_losses.data_ptr(),
                                    static_cast<std::size_t>(scored) * sizeof(float), cudaMemcpyDeviceToHost,
                                    m_stream.stream()));
    }

    std::span<const float> losses() override
    {
        cuda::check(cudaStreamSynchronize(m_stream.stream()));
        return {m_lossesAtHome.data_ptr<float>(), static_cast<std::size_t>(rows() - 1)};
    }

private:
    /// What recorded work depends on.
    struct Setting {
        int length = 0;
        int tileSide = 0;
        double threshold = 0;
        std::optional<ScoreGate> gate;
        bool tf32 = false;

        friend bool operator==(const Setting&, const Setting&) = default;
    };

    struct Layer {
        cuda::RecordedWork attention;
        cuda::RecordedWork editedAttention;  // with edits that may be others each time
        cuda::RecordedWork rest;
        int lastOnTheWay = 0;  // the last layer copied to the host together with it
        at::cuda::CUDAEvent isDone;
        at::cuda::CUDAEvent isHome;
    };

    std::int64_t rows() const { return m_setting.length; }
    std::int64_t packedWidth() const { return m_spec.queryWidth() + 2 * std::int64_t(m_spec.kvWidth()); }
    std::int64_t innerWidth() const
    {
        return std::int64_t(m_spec.intermediate) * (m_spec.hasGatedMlp ? 2 : 1);
    }
    at::Tensor packed() const { return cut(m_wide, rows(), packedWidth()); }
    const at::Tensor& weight(int layer, model::Role role) const { return m_weights.at(layer, role); }

    /// Copies tiles and sums of layers to the host while the next ones run.
    void sendHome(int first, int end)
    {
        const at::Tensor summaries = m_summaries.slice(0, first, end);
        const at::Tensor atHome = m_summariesAtHome.slice(0, first, end);
        Layer& last = m_layers[end - 1];
        last.isDone.record(m_stream);
        last.isDone.block(m_copies);
        cuda::check(cudaMemcpyAsync(atHome.data_ptr(), summaries.data_ptr(),
                                    static_cast<std::size_t>(summaries.numel()), cudaMemcpyDeviceToHost,
                                    m_copies.stream()));
        last.isHome.record(m_copies);
        for (int layer = first; layer < end; ++layer)
            m_layers[layer].lastOnTheWay = end - 1;
    }

    void makeBuffers(const DecoderFrame& frame)
    {
        m_rotation = frame.rotation;
        m_localRotation = frame.localRotation;
        const std::int64_t size = c10::elementSize(m_numbers.dtype().toScalarType());
        const at::TensorOptions bytes = m_numbers.dtype(at::kByte);
        const at::TensorOptions atHome = at::TensorOptions(at::kFloat).pinned_memory(true);
        m_residuals.reset();  // before the new ones are allocated
        m_wide.reset();
        m_residuals =
            at::empty({m_spec.layers + 1, alignedUp(rows() * m_spec.hidden * size) / size}, m_numbers);
        m_middle = at::empty({rows(), m_spec.hidden}, m_numbers);
        m_normed = at::empty({rows(), m_spec.hidden}, m_numbers);
        m_z = at::empty({rows(), m_spec.heads, m_spec.headDim}, m_numbers);
        m_wide = at::empty({std::max({rows() * packedWidth(), std::min(rows(), kMlpRows) * innerWidth(),
                                      std::min(rows(), kLogitChunk) * m_spec.vocabulary})},
                           m_numbers);
        m_tokens = at::empty({rows()}, m_numbers.dtype(at::kInt));
        m_logits = at::empty({1, m_spec.vocabulary}, m_numbers);
        m_wideLogits = at::empty({m_spec.vocabulary + 1}, m_numbers.dtype(at::kFloat));
        m_logitsAtHome = at::empty({m_spec.vocabulary + 1}, atHome);
        m_logitScratch = at::zeros({cuda::kLogitScratch}, m_numbers.dtype(at::kFloat));
        m_losses = at::empty({2, rows()}, m_numbers.dtype(at::kFloat));
        m_lossesAtHome = at::empty({rows()}, atHome);
        m_tileBytes = alignedUp(std::int64_t(m_spec.heads) * m_setting.tileSide * m_setting.tileSide);
        const auto sumBytes = m_spec.heads * static_cast<std::int64_t>(sizeof(stats::PatternSums));
        m_summaries = at::empty({m_spec.layers, alignedUp(m_tileBytes + sumBytes)}, bytes);
        m_summariesAtHome = at::empty(m_summaries.sizes(), atHome.dtype(at::kByte));
        m_scratch = at::zeros({static_cast<std::int64_t>(cuda::patternScratchBytes(problemOf(0)))}, bytes);
    }

    /// Puts edits of cells where recorded work reads them. It need not be recorded again while there is room.
    void sendEdits(EditLists lists)
    {
        if (lists == m_sentEdits)
            return;
        const auto bytes = static_cast<std::int64_t>(lists.edits.size() * sizeof(cuda::PatternEdit));
        if (!m_edits.defined() || m_edits.numel() < bytes) {
            m_edits = at::empty({std::max(2 * bytes, kLeastEditBytes)}, m_numbers.dtype(at::kByte));
            m_firstEdits = at::empty({std::ssize(lists.first)}, m_numbers.dtype(at::kInt));
            for (Layer& layer : m_layers)
                layer.editedAttention.forget();
        }
        m_sentEdits = {};  // in case that sending fails
        const auto send = [this](const at::Tensor& target, const auto& source) {
            cuda::check(cudaMemcpyAsync(target.data_ptr(), source.data(), source.size() * sizeof(source[0]),
                                        cudaMemcpyHostToDevice, m_stream.stream()));
        };
        send(m_firstEdits, lists.first);
        if (!lists.edits.empty())
            send(m_edits, lists.edits);
        m_sentEdits = std::move(lists);
    }

    cuda::PatternProblem problemOf(int layer) const
    {
        cuda::PatternProblem problem = patternProblem(m_spec, layer, m_setting.gate, m_setting.length,
                                                      m_setting.tileSide, m_setting.threshold);
        problem.precision = m_ops.precision();
        problem.qkv = m_wide.data_ptr();
        problem.tokens = m_tokens.data_ptr<std::int32_t>();
        return problem;
    }

    bool hasEdits(int layer) const
    {
        const std::size_t slot = static_cast<std::size_t>(layer) * static_cast<std::size_t>(m_spec.heads);
        return m_sentEdits.first[slot] != m_sentEdits.first[slot + static_cast<std::size_t>(m_spec.heads)];
    }

    void queueAttention(int layer, bool isEdited)
    {
        const at::Tensor residual = this->residual(layer);
        const at::Tensor input =
            normedBefore(layer, residual, model::Role::AttentionNormWeight, model::Role::AttentionNormBias);
        m_ops.multiply(input, weight(layer, model::Role::QkvWeight), weight(layer, model::Role::QkvBias), {},
                       packed());
        const Rotation& rotation = m_spec.hasLocalRope(layer) ? m_localRotation : m_rotation;
        m_ops.prepare(layer, packed(), rotation.cos, rotation.sin);
        std::uint8_t* const summary = m_summaries[layer].data_ptr<std::uint8_t>();
        cuda::PatternProblem problem = problemOf(layer);
        if (isEdited) {
            problem.edits = reinterpret_cast<const cuda::PatternEdit*>(m_edits.data_ptr());
            problem.firstEdits = m_firstEdits.data_ptr<std::int32_t>() + std::int64_t(layer) * m_spec.heads;
        }
        cuda::attentionPatterns(problem,
                                {m_z.data_ptr(), summary,
                                 reinterpret_cast<stats::PatternSums*>(summary + m_tileBytes),
                                 reinterpret_cast<std::byte*>(m_scratch.data_ptr())},
                                m_stream.stream());
    }

    void queueRest(int layer)
    {
        const at::Tensor residual = this->residual(layer);
        const at::Tensor next = this->residual(layer + 1);
        const at::Tensor& outWeight = weight(layer, model::Role::OutWeight);
        const at::Tensor& outBias = weight(layer, model::Role::OutBias);
        if (m_spec.normAfter) {
            m_ops.multiply(m_z.flatten(1), outWeight, outBias, {}, m_normed);
            m_ops.norm(m_normed, weight(layer, model::Role::AttentionAfterNormWeight),
                       weight(layer, model::Role::AttentionAfterNormBias), residual, m_middle);
        } else {
            m_ops.multiply(m_z.flatten(1), outWeight, outBias, residual, m_middle);
        }
        const at::Tensor input = normedBefore(layer, m_spec.hasParallelResidual ? residual : m_middle,
                                              model::Role::MlpNormWeight, model::Role::MlpNormBias);
        if (m_spec.normAfter) {
            queueMlp(layer, input, {}, m_normed);  // may be in place: rows are read before they are written
            m_ops.norm(m_normed, weight(layer, model::Role::MlpAfterNormWeight),
                       weight(layer, model::Role::MlpAfterNormBias), m_middle, next);
        } else {
            queueMlp(layer, input, m_middle, next);
        }
    }

    /// The input of a sublayer: its argument, or its norm.
    at::Tensor normedBefore(int layer, const at::Tensor& x, model::Role weightRole, model::Role biasRole)
    {
        if (!m_spec.normBefore)
            return x;
        m_ops.norm(x, weight(layer, weightRole), weight(layer, biasRole), {}, m_normed);
        return m_normed;
    }

    void queueMlp(int layer, const at::Tensor& input, const at::Tensor& addend, const at::Tensor& output)
    {
        const bool isFused = !m_spec.hasGatedMlp && m_spec.activation == model::Activation::GeluTanh;
        for (std::int64_t first = 0; first < rows(); first += kMlpRows) {
            const std::int64_t count = std::min(kMlpRows, rows() - first);
            const at::Tensor inner = cut(m_wide, count, innerWidth());
            m_ops.multiply(input.narrow(0, first, count), weight(layer, model::Role::UpWeight),
                           weight(layer, model::Role::UpBias), {}, inner, isFused);
            if (!isFused)
                m_ops.activate(inner);
            m_ops.multiply(inner.narrow(1, 0, m_spec.intermediate), weight(layer, model::Role::DownWeight),
                           weight(layer, model::Role::DownBias),
                           addend.defined() ? addend.narrow(0, first, count) : addend,
                           output.narrow(0, first, count));
        }
    }

    std::shared_ptr<const Model> m_model;
    const model::ArchSpec& m_spec;
    const ModelWeights& m_weights;
    at::TensorOptions m_numbers;  // of the computation
    c10::cuda::CUDAStream m_stream;
    c10::cuda::CUDAStream m_copies;  // tiles to the host
    Setting m_setting;
    GpuOps m_ops;

    Rotation m_rotation;
    Rotation m_localRotation;
    at::Tensor m_residuals;   // [layer, query * hidden + padding]
    at::Tensor m_middle;      // [query, hidden], between attention and MLP
    at::Tensor m_normed;      // [query, hidden]
    at::Tensor m_z;           // [query, head, head size]
    at::Tensor m_wide;        // the packed projections, later the inner activations, last some rows' logits
    at::Tensor m_prompt;      // [query] int64
    at::Tensor m_tokens;      // [query] int32
    at::Tensor m_logits;      // [1, token]
    at::Tensor m_wideLogits;  // [token | 1] float
    at::Tensor m_logitsAtHome;
    at::Tensor m_logitScratch;
    at::Tensor m_losses;  // [loss | log of the sum of exponentials, query] float
    at::Tensor m_lossesAtHome;
    at::Tensor m_summaries;        // [layer, tiles [head, row, column] | PatternSums [head]] bytes
    at::Tensor m_summariesAtHome;  // the same on the host
    at::Tensor m_scratch;
    EditLists m_sentEdits;
    at::Tensor m_edits;       // [edit] cuda::PatternEdit, and room for more
    at::Tensor m_firstEdits;  // [layer, head | end] int32
    std::int64_t m_tileBytes = 0;
    std::vector<Layer> m_layers;
    std::map<std::pair<int, int>, cuda::RecordedWork> m_wholeLayers;  // [first, end)
};

}  // namespace

std::unique_ptr<GpuLayers> makeGpuLayers(const RunRequest& request)
{
    const model::ArchSpec& spec = request.model->spec();
    const bool isPossible = !spec.scoreCap && !spec.logitCap && !request.model->facts().placement.isSplit() &&
                            request.model->facts().device.isCuda() && spec.headDim <= cuda::kMostPatternDim &&
                            spec.hidden <= GpuOps::kMostWidth && tileSideOf(request) <= cuda::kMostTileSide;
    return isPossible ? std::make_unique<CudaLayers>(request.model) : nullptr;
}

#else

std::unique_ptr<GpuLayers> makeGpuLayers(const RunRequest&)
{
    return nullptr;
}

#endif

}  // namespace hs::engine
