#include "analyses/device_check.h"

#include "engine/load/model_copy.h"
#include "engine/run/engine.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>

namespace hs::analyses {
namespace {

// More is not copied to the processor: a background job must not make others wait, and the first layers tell whether
// kernels and memory work.
constexpr std::uint64_t kMostCopied = std::uint64_t{4} << 30;
// Of what is free.
constexpr double kMostShare = 0.5;

constexpr const char* kExact = "float32";

/// ‖a − b‖ as a share of ‖b‖.
template <class T>
double distance(std::span<const T> a, std::span<const T> b)
{
    double apart = 0, size = 0;
    for (std::size_t at = 0; at < a.size(); ++at) {
        const auto here = static_cast<double>(a[at]);
        const auto there = static_cast<double>(b[at]);
        if (std::isnan(here) && std::isnan(there))
            continue;
        apart += (here - there) * (here - there);
        size += there * there;
    }
    const double share = std::sqrt(apart) / std::max(std::sqrt(size), 1e-30);
    return share < kFarthest ? share : kFarthest;
}

std::span<const std::uint8_t> tileSpan(const engine::RunResult& run, HeadId head)
{
    return {run.tileOf(head), run.tileCells()};
}

int layersWithRoom(const engine::Model& model, const engine::FreeMemory& freeOn)
{
    const auto share = static_cast<std::uint64_t>(
        static_cast<double>(freeOn(engine::Device{}).value_or(kMostCopied)) * kMostShare);
    const std::uint64_t room = std::min(share, kMostCopied);
    int layers = model.spec().layers;
    while (layers > 0 && engine::copiedBytes(model, layers) > room)
        --layers;
    return layers;
}

std::string describeLeft(int layers, int all)
{
    const std::string checked =
        layers == 0 ? "No layers"
                    : "Only " + std::to_string(layers) + " of " + std::to_string(all) + " layers";
    return checked +
           " were compared with the processor: a copy of more weights does not fit beside what runs there.";
}

engine::RunResult runOn(std::shared_ptr<const engine::Model> model, const std::vector<std::int64_t>& tokens,
                        bool tf32, bool hasLogits, const Hooks& hooks)
{
    engine::RunRequest request;
    request.model = std::move(model);
    request.tokens = tokens;
    request.tf32 = tf32;
    request.capture.loss = false;
    request.capture.logits = hasLogits;
    request.capture.tileSide = static_cast<int>(tokens.size());
    return orThrow(engine::Engine().run(request, hooks));
}

}  // namespace

DeviceTolerance toleranceOf(const std::string& precision)
{
    // Wide: a fault in a kernel or in memory is far beyond them, and sharp heads make much of rounding.
    if (precision == kExact)
        return {0.02, 1e-3};
    if (precision == "tf32")
        return {0.1, 0.05};
    if (precision == "float16")
        return {0.15, 0.1};
    return {0.5, 0.4};  // bfloat16: rounding adds up over the layers
}

std::optional<DeviceCheck::Difference> findDifference(const engine::RunResult& onDevice,
                                                      const engine::RunResult& onProcessor, int layers,
                                                      const DeviceTolerance& tolerance)
{
    for (int layer = 0; layer < layers; ++layer) {
        DeviceCheck::Difference most{std::nullopt, 0, tolerance.attention};
        for (int index = 0; index < onProcessor.heads.heads; ++index) {
            const HeadId head{layer, index};
            if (!onProcessor.heads.contains(head))
                continue;
            const double size = distance(tileSpan(onDevice, head), tileSpan(onProcessor, head));
            if (!most.head || size > most.size)
                most = {head, size, tolerance.attention};
        }
        if (most.size > tolerance.attention)
            return most;
    }
    if (onDevice.logits.empty() || onDevice.logits.size() != onProcessor.logits.size())
        return std::nullopt;
    const double size =
        distance(std::span<const float>(onDevice.logits), std::span<const float>(onProcessor.logits));
    return size > tolerance.logits
               ? std::optional(DeviceCheck::Difference{std::nullopt, size, tolerance.logits})
               : std::nullopt;
}

Result<DeviceCheck> checkDevice(std::shared_ptr<const engine::Model> model, std::vector<std::int64_t> tokens,
                                bool tf32, const Hooks& hooks, const engine::FreeMemory& freeOn)
{
    return guarded([&] {
        const engine::Model::Facts& facts = model->facts();
        const int all = facts.spec.layers;
        DeviceCheck check;
        check.layers = layersWithRoom(*model, freeOn);
        if (check.layers < all)
            check.left = describeLeft(check.layers, all);
        if (check.layers == 0 || tokens.empty())
            return check;
        tokens.resize(std::min(tokens.size(), kCheckedTokens));
        const bool hasLogits = check.layers == all;
        const engine::RunResult onDevice = runOn(model, tokens, tf32, hasLogits, hooks);
        const engine::RunResult onProcessor = runOn(engine::copyModel(*model, {}, check.layers, hooks),
                                                    tokens, /*tf32=*/false, hasLogits, hooks);
        check.beyond = findDifference(onDevice, onProcessor, check.layers,
                                      toleranceOf(engine::precisionName(facts.device, facts.dtype, tf32)));
        return check;
    });
}

std::string warningOf(const DeviceCheck::Difference& difference, const std::string& model,
                      const std::string& device, const std::string& precision)
{
    const auto percent = [](double share) {
        char text[32];
        std::snprintf(text, sizeof text, "%.2g %%", 100 * share);
        return std::string(share < kFarthest ? text : "more than can be measured");
    };
    const std::string where =
        difference.head ? "from " + toString(*difference.head) + " on" : "in its logits";
    // Scores of several hundred lose all but their first digits in a narrow type.
    const std::string remedy =
        precision == kExact
            ? "Run it on the processor (Edit ▸ Preferences), and update the driver of the GPU."
            : "Choose float32 as number type (Edit ▸ Preferences); if that differs as well, run it on the "
              "processor, and update the driver of the GPU.";
    return model + " gives something else on " + device + " than on the processor, " + where + " (by " +
           percent(difference.size) + "; rounding in " + precision + " mostly explains no more than " +
           percent(difference.allowed) + "). " + remedy;
}

}  // namespace hs::analyses
