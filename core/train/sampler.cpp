#include "train/sampler.h"

#include "base/draws.h"
#include "base/failure.h"
#include "engine/device/device_tensors.h"
#include "engine/run/decoder_tensors.h"
#include "train/cached_attention_tensors.h"
#include "train/forward_tensors.h"
#include "train/parameters_tensors.h"
#include "train/token_draw_tensors.h"
#include "train/training_memory.h"

#include <algorithm>

namespace hs::train {
namespace {

constexpr std::uint64_t kMostDocumentsOnGpu = 8192;
constexpr std::uint64_t kMostDocumentsOnCpu = 128;
constexpr std::uint64_t kMostCacheBytes = std::uint64_t{24} << 30;
constexpr std::int64_t kMostDrawnLogits = std::int64_t{1} << 26;  // that exist at a time

/// A number from 0 to 1 for each token that is drawn. [position, document] double, CPU
at::Tensor numbersFor(const SampleRange& range, std::int64_t first, std::int64_t count)
{
    at::Tensor numbers = at::empty({range.length, count}, at::kDouble);
    double* const data = numbers.data_ptr<double>();
    for (std::int64_t document = 0; document < count; ++document) {
        Draws draws({range.seed, static_cast<std::uint64_t>(first + document)});
        for (std::int64_t position = 0; position < range.length; ++position)
            data[position * count + document] = static_cast<double>(draws.next() >> 11) * 0x1p-53;
    }
    return numbers;
}

/// Documents that grow side by side. Nothing waits for the device until they are read.
class GrowingDocuments {
public:
    GrowingDocuments(const model::ArchSpec& spec, const engine::ModelWeights& weights, at::ScalarType type,
                     at::Device device, const SampleRange& range, std::int64_t first, std::int64_t count)
        : m_spec(spec), m_tokens(at::full({count, range.length}, range.firstToken,
                                          at::TensorOptions(at::kLong).device(device))),
          m_numbers(numbersFor(range, first, count).to(device)), m_frame(spec, range.length, device),
          m_decoder(spec, weights, type, m_tokens, m_frame,
                    decoderOps(device.is_cuda() ? Operations::Fused : Operations::Plain)),
          m_attention(spec, count, range.length, at::TensorOptions(type).device(device))
    {
    }

    /// Draws the tokens that follow those at `position`.
    void grow(std::int64_t position)
    {
        const engine::Decoder decoder = m_decoder.excerpt(1, position, 1);
        at::Tensor residual = decoder.embed();
        for (int layer = 0; layer < m_spec.layers; ++layer)
            residual = decoder.finishLayer(
                layer, residual,
                m_attention.attend(layer, decoder.packedProjections(layer, residual),
                                   m_frame.rotationOf(m_spec, layer), position));  // [document, hidden]
        const std::int64_t atOnce = std::max<std::int64_t>(1, kMostDrawnLogits / m_spec.vocabulary);
        for (std::int64_t begin = 0; begin < residual.size(0); begin += atOnce) {
            const std::int64_t count = std::min(atOnce, residual.size(0) - begin);
            const at::Tensor drawn = drawTokens(decoder.unembed(residual.narrow(0, begin, count)),
                                                m_numbers[position].narrow(0, begin, count));
            m_tokens.select(1, position + 1).narrow(0, begin, count).copy_(drawn);
        }
    }

    at::Tensor read() const { return m_tokens.to(at::kInt).to(at::kCPU).contiguous(); }

private:
    const model::ArchSpec& m_spec;
    at::Tensor m_tokens;   // [document, position]; the decoder reads them, too
    at::Tensor m_numbers;  // [position, document]
    engine::DecoderFrame m_frame;
    engine::Decoder m_decoder;
    CachedAttention m_attention;
};

void check(const model::ArchSpec& spec, const SampleRange& range)
{
    if (range.length < 2 || range.length > spec.context)
        fail(ErrorCode::BadRequest, "Documents of " + std::to_string(range.length) +
                                        " tokens cannot be drawn from a model of " +
                                        std::to_string(spec.context) + "; change --length.");
    if (range.firstToken < 0 || range.firstToken >= spec.vocabulary)
        fail(ErrorCode::BadRequest, "The first token " + std::to_string(range.firstToken) +
                                        " is not one of the model's; check bos_token_id in its config.json.");
}

}  // namespace

struct Sampler::Parts {
    std::shared_ptr<const engine::Model> model;
    at::ScalarType type;
    engine::ModelWeights weights;
};

Sampler::Sampler(std::shared_ptr<const engine::Model> model, model::DType computedIn)
{
    requireOneDevice(*model);
    const c10::NoGradGuard fixed;
    const at::ScalarType type = engine::torchType(computedIn);
    engine::ModelWeights weights = converted(model->weights(), type);
    m_parts = std::make_unique<const Parts>(Parts{std::move(model), type, std::move(weights)});
}

Sampler::~Sampler() = default;

const model::ArchSpec& Sampler::spec() const
{
    return m_parts->model->spec();
}

std::int64_t Sampler::documentsAtOnce(int length) const
{
    const engine::Device device = m_parts->model->facts().device;
    const std::uint64_t each = CachedAttention::bytesOfDocument(spec(), length, m_parts->type);
    const std::uint64_t free = engine::availableMemory(device).value_or(2 * kMostCacheBytes);
    const std::uint64_t fitting = std::max<std::uint64_t>(1, std::min(kMostCacheBytes, free / 2) / each);
    return static_cast<std::int64_t>(
        std::min(fitting, device.isCuda() ? kMostDocumentsOnGpu : kMostDocumentsOnCpu));
}

std::vector<std::int32_t> Sampler::draw(const SampleRange& range, const Hooks& hooks) const
{
    check(spec(), range);
    const c10::NoGradGuard fixed;
    const at::Device device = engine::torchDevice(m_parts->model->facts().device);
    const std::int64_t atOnce =
        range.documentsAtOnce > 0 ? range.documentsAtOnce : documentsAtOnce(range.length);
    std::vector<std::int32_t> drawn;
    drawn.reserve(static_cast<std::size_t>(range.count) * static_cast<std::size_t>(range.length));
    for (std::int64_t done = 0; done < range.count; done += atOnce) {
        const std::int64_t count = std::min(atOnce, range.count - done);
        GrowingDocuments documents(spec(), m_parts->weights, m_parts->type, device, range, range.first + done,
                                   count);
        for (std::int64_t position = 0; position + 1 < range.length; ++position) {
            hooks.throwIfCancelled();
            hooks.report(static_cast<int>(done + count * position / range.length),
                         static_cast<int>(range.count));
            documents.grow(position);
        }
        const at::Tensor onHost = documents.read();
        const std::int32_t* const data = onHost.data_ptr<std::int32_t>();
        drawn.insert(drawn.end(), data, data + onHost.numel());
    }
    hooks.report(static_cast<int>(range.count), static_cast<int>(range.count));
    return drawn;
}

}  // namespace hs::train
