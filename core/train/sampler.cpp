#include "train/sampler.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "engine/device/device_tensors.h"
#include "engine/request/forecast.h"
#include "engine/run/decoder_tensors.h"
#include "train/training_memory.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace hs::train {
namespace {

constexpr int kDocumentsOnGpu = 8192;
constexpr int kDocumentsOnCpu = 64;

/// One batch of documents growing side by side.
class Documents {
public:
    Documents(const engine::Model& model, std::int64_t count, std::int64_t length, at::Generator generator)
        : m_spec(model.spec()), m_weights(model.weights()), m_count(count), m_length(length),
          m_generator(std::move(generator)), m_device(engine::torchDevice(model.facts().device)),
          m_type(engine::computingType(model.facts().device, model.facts().dtype))
    {
        const at::TensorOptions options = at::TensorOptions(m_type).device(m_device);
        for (int layer = 0; layer < m_spec.layers; ++layer) {
            m_keys.push_back(at::empty({count * m_spec.kvHeads, length, m_spec.headDim}, options));
            m_values.push_back(at::empty_like(m_keys.back()));
        }
    }

    /// The tokens that follow these, which are at `position`.
    at::Tensor next(const at::Tensor& tokens, std::int64_t position)  // [document]
    {
        const engine::Decoder decoder(m_spec, m_weights, m_type, tokens.unsqueeze(1),
                                      engine::DecoderFrame(m_spec, 1, m_device, position, m_length));
        at::Tensor residual = decoder.embed();
        for (int layer = 0; layer < m_spec.layers; ++layer)
            residual = decoder.finishLayer(layer, residual,
                                           attend(decoder.project(layer, residual), layer, position));
        const at::Tensor probabilities = at::softmax(decoder.unembed(residual), -1, at::kFloat);
        return at::multinomial(probabilities, 1, /*replacement=*/true, m_generator).squeeze(1);
    }

private:
    at::Tensor attend(const engine::Projections& now, int layer, std::int64_t position)
    {
        m_keys[layer].select(1, position).copy_(now.keys.squeeze(1));
        m_values[layer].select(1, position).copy_(now.values.squeeze(1));
        const int window = m_spec.windows[layer];
        const std::int64_t first = window > 0 ? std::max<std::int64_t>(0, position + 1 - window) : 0;
        const std::int64_t seen = position + 1 - first;
        // The query heads of a group are stacked.
        const std::int64_t perGroup = m_spec.heads / m_spec.kvHeads;
        const at::Tensor queries =
            now.queries.reshape({m_count * m_spec.kvHeads, perGroup, m_spec.headDim}).to(m_type);
        const at::Tensor keys = m_keys[layer].narrow(1, first, seen);
        at::Tensor scores = at::bmm(queries, keys.transpose(1, 2));
        if (now.scoreCap)
            scores = engine::softCapped(scores, *now.scoreCap);
        const at::Tensor weights = at::softmax(scores, -1, at::kFloat).to(m_type);
        const at::Tensor z = at::bmm(weights, m_values[layer].narrow(1, first, seen));
        return z.reshape({m_count, m_spec.heads, m_spec.headDim});
    }

    const model::ArchSpec& m_spec;
    const engine::ModelWeights& m_weights;
    std::int64_t m_count;
    std::int64_t m_length;  // of a whole document
    at::Generator m_generator;
    at::Device m_device;
    at::ScalarType m_type;
    std::vector<at::Tensor> m_keys;  // [layer] of [document * key/value head, key, head size]
    std::vector<at::Tensor> m_values;
};

void check(const engine::Model& model, const SamplerOptions& options)
{
    requireOneDevice(model);
    const model::ArchSpec& spec = model.spec();
    if (options.length < 2 || options.length > spec.context)
        fail(ErrorCode::BadRequest, "Documents of " + std::to_string(options.length) +
                                        " tokens cannot be drawn from a model of " +
                                        std::to_string(spec.context) + "; change --length.");
    if (options.firstToken < 0 || options.firstToken >= spec.vocabulary)
        fail(ErrorCode::BadRequest, "The first token " + std::to_string(options.firstToken) +
                                        " is not one of the model's; check bos_token_id in its config.json.");
    const std::uint64_t needed = static_cast<std::uint64_t>(options.tokens) * sizeof(std::int32_t);
    if (const auto available = engine::availableMemory(engine::Device{}); available && needed > *available)
        fail(ErrorCode::TooLarge, formatCount(options.tokens) + " tokens take " + formatBytes(needed) +
                                      ", but " + formatBytes(*available) +
                                      " of memory are free; give a smaller --self.");
}

std::int64_t documentsAtOnce(const engine::Model& model, const SamplerOptions& options)
{
    if (options.documentsAtOnce > 0)
        return options.documentsAtOnce;
    const model::ArchSpec& spec = model.spec();
    const std::int64_t most = model.facts().device.isCuda() ? kDocumentsOnGpu : kDocumentsOnCpu;
    const std::uint64_t each = 2ull * spec.layers * spec.kvWidth() * options.length * sizeof(float) +
                               3ull * spec.vocabulary * sizeof(float);
    const std::uint64_t free = engine::availableMemory(model.facts().device).value_or(std::uint64_t{1} << 33);
    // A power of two, because what is drawn depends on it, and a resumed training must draw the same even
    // if a little more or less memory is free.
    const std::uint64_t fitting = std::bit_floor(std::max<std::uint64_t>(1, free / 2 / each));
    return static_cast<std::int64_t>(std::min<std::uint64_t>(fitting, most));
}

}  // namespace

std::vector<std::int32_t> sampleDocuments(const engine::Model& model, const SamplerOptions& options,
                                          const Hooks& hooks)
{
    check(model, options);
    const c10::InferenceMode noGradients;
    const at::Device device = engine::torchDevice(model.facts().device);
    const at::Generator generator = engine::newGenerator(device, options.seed);
    const std::int64_t length = options.length;
    const std::int64_t wanted = (options.tokens + length - 1) / length;
    const std::int64_t atOnce = std::min(wanted, documentsAtOnce(model, options));

    std::vector<std::int32_t> drawn;
    drawn.reserve(static_cast<std::size_t>(wanted * length));
    for (std::int64_t done = 0; done < wanted; done += atOnce) {
        const std::int64_t count = std::min(atOnce, wanted - done);
        Documents documents(model, count, length, generator);
        at::Tensor all = at::empty({count, length}, at::TensorOptions(at::kInt).device(device));
        at::Tensor tokens =
            at::full({count}, options.firstToken, at::TensorOptions(at::kLong).device(device));
        for (std::int64_t position = 0; position < length; ++position) {
            hooks.throwIfCancelled();
            hooks.report(static_cast<int>(done + count * position / length), static_cast<int>(wanted));
            all.select(1, position).copy_(tokens);
            if (position + 1 < length)
                tokens = documents.next(tokens, position);
        }
        const at::Tensor onHost = all.to(at::kCPU).contiguous();
        const std::int32_t* const data = onHost.data_ptr<std::int32_t>();
        drawn.insert(drawn.end(), data, data + onHost.numel());
    }
    return drawn;
}

}  // namespace hs::train
