#include "bench/product_times.h"

#ifdef HS_WITH_CUDA
#include "base/timing.h"
#include "cuda/check.h"
#include "cuda/recorded_work.h"
#include "engine/device/device_tensors.h"
#include "engine/load/weights_tensors.h"
#include "engine/run/gpu_ops_tensors.h"

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <map>
#endif

namespace hs::bench {

#ifdef HS_WITH_CUDA

namespace {

constexpr int kProductWarmUps = 3;
constexpr int kRounds = 20;

/// The products of all layers, on meaningless numbers.
class Products {
public:
    Products(const engine::Model& model, int tokens, cuda::Stream stream)
        : m_model(model), m_tokens(tokens), m_ops(model, stream),
          m_numbers(at::TensorOptions(engine::torchType(model.facts().dtype))
                        .device(engine::torchDevice(model.facts().device)))
    {
    }

    void queue()
    {
        const model::ArchSpec& spec = m_model.spec();
        const bool hasGelu = !spec.hasGatedMlp && spec.activation == model::Activation::GeluTanh;
        for (int layer = 0; layer < spec.layers; ++layer) {
            multiply(layer, model::Role::QkvWeight, model::Role::QkvBias, false);
            multiply(layer, model::Role::OutWeight, model::Role::OutBias, false);
            multiply(layer, model::Role::UpWeight, model::Role::UpBias, hasGelu);
            multiply(layer, model::Role::DownWeight, model::Role::DownBias, false);
        }
    }

private:
    struct Ends {
        at::Tensor x;
        at::Tensor y;
    };

    void multiply(int layer, model::Role weightRole, model::Role biasRole, bool hasGelu)
    {
        const at::Tensor& weight = m_model.weights().at(layer, weightRole);
        Ends& ends = m_ends[weightRole];
        if (!ends.x.defined())
            ends = {at::zeros({m_tokens, weight.size(1)}, m_numbers),
                    at::zeros({m_tokens, weight.size(0)}, m_numbers)};
        m_ops.multiply(ends.x, weight, m_model.weights().at(layer, biasRole), {}, ends.y, hasGelu);
    }

    const engine::Model& m_model;
    std::int64_t m_tokens;
    engine::GpuOps m_ops;
    at::TensorOptions m_numbers;
    std::map<model::Role, Ends> m_ends;
};

}  // namespace

std::optional<double> timeProducts(const engine::Model& model, int tokens)
{
    if (!model.facts().device.isCuda() || model.facts().placement.isSplit())
        return std::nullopt;
    const c10::cuda::CUDAStream stream =
        c10::cuda::getStreamFromPool(false, engine::torchDevice(model.facts().device).index());
    const c10::cuda::CUDAStreamGuard entered(stream);
    Products products(model, tokens, stream.stream());
    cuda::RecordedWork all;
    std::vector<double> times;
    for (int round = -kProductWarmUps; round < kRounds; ++round) {
        const double elapsed = milliseconds([&] {
            all.run(stream.stream(), [&] { products.queue(); });
            cuda::check(cudaStreamSynchronize(stream.stream()));
        });
        if (round >= 0)
            times.push_back(elapsed);
    }
    return median(times) * 1000 / model.spec().layers;
}

#else

std::optional<double> timeProducts(const engine::Model&, int)
{
    return std::nullopt;
}

#endif

}  // namespace hs::bench
