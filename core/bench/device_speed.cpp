#include "bench/device_speed.h"

#include "base/timing.h"
#include "engine/device/device_tensors.h"

#include <algorithm>

namespace hs::bench {
namespace {

constexpr int kWarmUps = 3;
constexpr int kAtOnce = 4;  // so that launching the work hardly counts

/// Milliseconds of `work`, which fills a tensor and returns it.
template <class Work>
double timed(const Work& work, int rounds, const Hooks& hooks)
{
    std::vector<double> times;
    for (int round = -kWarmUps; round < rounds; ++round) {
        hooks.throwIfCancelled();
        const double elapsed = milliseconds([&] {
            at::Tensor result;
            for (int repeat = 0; repeat < kAtOnce; ++repeat)
                result = work();
            result.view(-1)[0].item();  // reading a value waits for the GPU
        });
        if (round >= 0)
            times.push_back(elapsed / kAtOnce);
    }
    return median(times);
}

double copySpeed(at::Device device, const SpeedProbe& probe, const Hooks& hooks)
{
    const at::TensorOptions bytes = at::TensorOptions(at::kByte).device(device);
    const at::Tensor from = at::zeros({probe.copyBytes}, bytes);
    at::Tensor to = at::empty_like(from);
    const double elapsed = timed([&] { return to.copy_(from); }, probe.rounds, hooks);
    return 2 * static_cast<double>(probe.copyBytes) / elapsed * 1e3;
}

double productSpeed(at::Device device, at::ScalarType type, const SpeedProbe& probe, const Hooks& hooks)
{
    const at::TensorOptions options = at::TensorOptions(type).device(device);
    const at::Tensor left = at::randn({probe.side, probe.side}, options);
    const at::Tensor right = at::randn({probe.side, probe.side}, options);
    at::Tensor product = at::empty_like(left);
    const double elapsed = timed([&] { return at::mm_out(product, left, right); }, probe.rounds, hooks);
    const auto side = static_cast<double>(probe.side);
    return 2 * side * side * side / elapsed * 1e3;
}

}  // namespace

DeviceSpeed measureSpeed(engine::Device device, const SpeedProbe& probe, const Hooks& hooks)
{
    const engine::Tf32Scope precision(probe.tf32);
    const c10::InferenceMode noGradients;
    const at::Device place = engine::torchDevice(device);
    DeviceSpeed speed;
    speed.bytesPerSecond = copySpeed(place, probe, hooks);
    speed.f32PerSecond = productSpeed(place, at::kFloat, probe, hooks);
    if (probe.withBf16)
        speed.bf16PerSecond = productSpeed(place, at::kBFloat16, probe, hooks);
    engine::giveBackMemory();
    return speed;
}

Floor floorOf(const engine::RunCost& cost, const DeviceSpeed& speed, model::DType dtype)
{
    const double reading = cost.bytes / speed.bytesPerSecond * 1e3;
    const double multiplying = cost.flop / speed.flopPerSecond(dtype) * 1e3;
    return {std::max(reading, multiplying),
            reading > multiplying ? "reading the weights once" : "the products"};
}

}  // namespace hs::bench
