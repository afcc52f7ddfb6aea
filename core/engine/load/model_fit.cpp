#include "engine/load/model_fit.h"

#include "engine/load/model_loader.h"
#include "engine/request/forecast.h"

#include <algorithm>

namespace hs::engine {
namespace {

constexpr std::int64_t kUsualTokens = 128;

/// None if one of them is not known.
std::optional<std::uint64_t> freeOnAll(const DeviceChoice& choice, const FreeMemory& freeOn)
{
    std::uint64_t sum = 0;
    for (const Device device : choice.devices) {
        const std::optional<std::uint64_t> free = freeOn(device);
        if (!free)
            return std::nullopt;
        sum += *free;
    }
    return sum;
}

}  // namespace

ModelFit fitOf(const model::ArchSpec& spec, const std::string& device, const std::string& dtype,
               const FreeMemory& freeOn)
{
    const Result<DeviceChoice> devices = chooseDevices(device);
    const Result<std::optional<model::DType>> asked = chooseDType(dtype);
    const LoadOptions options{devices ? *devices : DeviceChoice(), asked ? *asked : std::nullopt};
    const model::DType inFile = model::dtypeFromConfig(spec.dtypeName).value_or(model::DType::F32);
    const std::uint64_t bytes = model::byteSize(weightType(options, spec, inFile, freeOn));
    const MemoryForecast run = forecastRun(spec, bytes, options.device.isCuda() ? bytes : sizeof(float),
                                           std::min<std::int64_t>(kUsualTokens, spec.context), Capture());
    return {forecastLoad(spec, bytes).weights + run.running(), freeOnAll(options.device, freeOn)};
}

}  // namespace hs::engine
