#include "engine/device/placement.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "model/weight_plan.h"

#include <algorithm>
#include <numeric>

namespace hs::engine {
namespace {

using Bytes = std::vector<std::uint64_t>;

// For a device whose free memory is unknown.
constexpr std::uint64_t kAnyAmount = std::uint64_t{1} << 50;

bool isAfterLayers(model::Role role)
{
    return role == model::Role::FinalNormWeight || role == model::Role::FinalNormBias ||
           role == model::Role::Unembedding;
}

bool isInLayer(model::Role role)
{
    return role >= model::Role::AttentionNormWeight;
}

/// Bytes of each layer; the first includes the embedding, the last whatever follows the layers.
Bytes bytesByLayer(const model::ArchSpec& spec, model::DType weights, bool repeatsEmbedding)
{
    Bytes bytes(static_cast<std::size_t>(spec.layers));
    for (const model::PlannedTensor& planned : model::planWeights(spec)) {
        const std::uint64_t size = static_cast<std::uint64_t>(planned.elements()) * model::byteSize(weights);
        if (isInLayer(planned.role))
            bytes[planned.layer] += size;
        else
            (isAfterLayers(planned.role) ? bytes.back() : bytes.front()) += size;
        if (repeatsEmbedding && planned.role == model::Role::Embedding)
            bytes.back() += size;
    }
    return bytes;
}

/// Bytes available to each part; a device with several parts is divided among them.
Bytes roomFor(const std::vector<Device>& devices, const FreeMemory& freeOn)
{
    Bytes room;
    for (const Device device : devices)
        room.push_back(freeOn(device).value_or(kAnyAmount) /
                       static_cast<std::uint64_t>(std::ranges::count(devices, device)));
    return room;
}

/// Fills the devices in turn, each with at least one layer and at most `most` bytes; none if a device gets
/// no layer or layers are left over.
std::optional<Placement> fill(const Bytes& layers, const std::vector<Device>& devices, const Bytes& room,
                              std::uint64_t most)
{
    Placement placement;
    placement.parts.clear();
    std::size_t layer = 0;
    for (std::size_t part = 0; part < devices.size(); ++part) {
        placement.parts.push_back({devices[part], static_cast<int>(layer)});
        const std::uint64_t limit = std::min(room[part], most);
        const std::size_t end = layers.size() - (devices.size() - 1 - part);
        std::uint64_t taken = 0;
        while (layer < end && layers[layer] <= limit - taken)
            taken += layers[layer++];
        if (static_cast<int>(layer) == placement.parts.back().firstLayer)
            return std::nullopt;
    }
    return layer == layers.size() ? std::optional(placement) : std::nullopt;
}

/// The most even way to fill them.
std::optional<Placement> spread(const Bytes& layers, const std::vector<Device>& devices, const Bytes& room)
{
    std::uint64_t enough = std::accumulate(layers.begin(), layers.end(), std::uint64_t{0});
    std::optional<Placement> best = fill(layers, devices, room, enough);
    for (std::uint64_t tooLittle = 0; best && enough - tooLittle > 1;) {
        const std::uint64_t middle = tooLittle + (enough - tooLittle) / 2;
        if (std::optional<Placement> found = fill(layers, devices, room, middle)) {
            best = std::move(found);
            enough = middle;
        } else {
            tooLittle = middle;
        }
    }
    return best;
}

[[noreturn]] void refuse(const Bytes& layers, model::DType weights, const std::vector<Device>& devices,
                         const Bytes& room)
{
    const std::uint64_t needed = std::accumulate(layers.begin(), layers.end(), std::uint64_t{0});
    const std::uint64_t available = std::accumulate(room.begin(), room.end(), std::uint64_t{0});
    const std::string narrower = weights == model::DType::F32 ? "--dtype bf16" : "another device";
    const std::string spreading = devices.back().isCuda()
                                      ? ", --device " + toString(DeviceChoice(devices, true)) + ",cpu"
                                      : std::string();
    fail(ErrorCode::TooLarge, "The weights need " + formatBytes(needed) + " on " +
                                  toString(DeviceChoice(devices, true)) + ", where " +
                                  formatBytes(available) + " are free; use " + narrower + spreading +
                                  " or a smaller model.");
}

}  // namespace

Device Placement::deviceOf(int layer) const
{
    const auto after = std::ranges::upper_bound(parts, layer, {}, &Part::firstLayer);
    return std::prev(after)->device;
}

Device Placement::deviceOf(const model::PlannedTensor& tensor) const
{
    if (isInLayer(tensor.role))
        return deviceOf(tensor.layer);
    return isAfterLayers(tensor.role) ? last() : first();
}

bool Placement::uses(Device::Kind kind) const
{
    return std::ranges::any_of(parts, [kind](const Part& part) { return part.device.kind == kind; });
}

std::string toString(const Placement& placement)
{
    std::string text;
    for (const Placement::Part& part : placement.parts)
        text += (text.empty() ? "" : ",") + toString(part.device);
    return text;
}

std::string describe(const Placement& placement)
{
    std::string text;
    for (const Placement::Part& part : placement.parts)
        text += (text.empty() ? "" : " and ") + describe(part.device);
    return text;
}

std::string describeLayers(const Placement& placement, int layers)
{
    std::string text;
    for (std::size_t part = 0; part < placement.parts.size(); ++part) {
        const bool isLast = part + 1 == placement.parts.size();
        const int end = isLast ? layers : placement.parts[part + 1].firstLayer;
        text += (part == 0 ? "Layers " : ", ") + std::to_string(placement.parts[part].firstLayer) + " to " +
                std::to_string(end - 1) + (part == 0 ? " are on " : " on ") +
                toString(placement.parts[part].device);
    }
    return text + ".";
}

Placement placeModel(const model::ArchSpec& spec, model::DType weights, const DeviceChoice& choice,
                     const FreeMemory& freeOn)
{
    const std::vector<Device>& devices = choice.devices;
    if (!choice.usesAll && devices.size() > 1) {
        // The others are not even queried: that alone takes memory on a GPU. A tenth of the first stays
        // free for runs.
        const std::vector<Device> alone = {devices.front()};
        const Bytes room = {roomFor(alone, freeOn).front() / 10 * 9};
        if (std::optional<Placement> placement = spread(bytesByLayer(spec, weights, false), alone, room))
            return *placement;
    }
    if (devices.size() > static_cast<std::size_t>(spec.layers))
        fail(ErrorCode::BadRequest, "The model has " + std::to_string(spec.layers) + " layers, too few for " +
                                        std::to_string(devices.size()) + " devices; name fewer of them.");
    const Bytes room = roomFor(devices, freeOn);
    const Bytes layers = bytesByLayer(spec, weights, spec.isTied && devices.front() != devices.back());
    if (std::optional<Placement> placement = spread(layers, devices, room))
        return *placement;
    refuse(layers, weights, devices, room);
}

}  // namespace hs::engine
