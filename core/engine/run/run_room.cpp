#include "engine/run/run_room.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "engine/load/model.h"
#include "engine/request/forecast.h"

#include <algorithm>

namespace hs::engine {
namespace {

struct Need {
    Device device;
    std::uint64_t bytes = 0;
};

/// Rows of the maps that a run of so many tokens gives: spans stay as many as they are.
std::int64_t sideFor(const RunRequest& request, std::int64_t length)
{
    return request.spans.folds() ? std::min<std::int64_t>(length, request.places()) : length;
}

/// What a run of so many tokens takes on each device, the host first: maps and logits end up there wherever
/// the model runs.
std::vector<Need> needsOf(const RunRequest& request, std::int64_t length)
{
    std::vector<Need> needs = {{}};
    const auto add = [&needs](Device device, std::uint64_t bytes) {
        auto at = std::ranges::find(needs, device, &Need::device);
        if (at == needs.end())
            at = needs.insert(needs.end(), {device});
        at->bytes += bytes;
    };
    const Model::Facts& facts = request.model->facts();
    const std::vector<Placement::Part>& parts = facts.placement.parts;
    const std::uint64_t bytesPerWeight = model::byteSize(facts.dtype);
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const bool isLast = part + 1 == parts.size();
        model::ArchSpec layers = facts.spec;
        layers.layers = (isLast ? facts.spec.layers : parts[part + 1].firstLayer) - parts[part].firstLayer;
        const std::uint64_t bytesPerNumber = parts[part].device.isCuda() ? bytesPerWeight : sizeof(float);
        const MemoryForecast forecast = forecastRun(layers, bytesPerWeight, bytesPerNumber, length,
                                                    request.capture, sideFor(request, length));
        add({}, forecast.maps + (isLast ? forecast.logits : 0));
        add(parts[part].device, forecast.residuals + forecast.scratch);
    }
    return needs;
}

/// The first device that has no room for a run of so many tokens; none if all have.
std::optional<Need> unmetNeed(const RunRequest& request, std::int64_t length, const FreeMemory& freeOn)
{
    for (const Need& need : needsOf(request, length))
        if (const std::optional<std::uint64_t> free = freeOn(need.device); free && need.bytes > *free)
            return need;
    return std::nullopt;
}

std::int64_t lengthOf(const RunRequest& request)
{
    return static_cast<std::int64_t>(request.tokens.size());
}

std::string remedyFor(std::int64_t fitting)
{
    if (fitting < 1)
        return "no prompt would fit: use a smaller model or another device.";
    return "about " + formatCount(fitting) + (fitting == 1 ? " token" : " tokens") +
           " would fit: shorten the prompt.";
}

}  // namespace

bool hasRoom(const RunRequest& request, const FreeMemory& freeOn)
{
    return !unmetNeed(request, lengthOf(request), freeOn);
}

void requireRoom(const RunRequest& request, const FreeMemory& freeOn)
{
    const std::optional<Need> unmet = unmetNeed(request, lengthOf(request), freeOn);
    if (unmet)
        fail(ErrorCode::TooLarge, "This run of " + formatCount(lengthOf(request)) + " tokens needs " +
                                      formatBytes(unmet->bytes) + " on " + toString(unmet->device) +
                                      ", where " + formatBytes(freeOn(unmet->device).value_or(0)) +
                                      " are free; " + remedyFor(lengthWithRoom(request, freeOn)));
}

std::int64_t lengthWithRoom(const RunRequest& request, const FreeMemory& freeOn)
{
    std::int64_t fitting = 0;
    std::int64_t beyond = request.model->spec().context + std::int64_t{1};
    while (beyond - fitting > 1) {
        const std::int64_t middle = fitting + (beyond - fitting) / 2;
        (unmetNeed(request, middle, freeOn) ? beyond : fitting) = middle;
    }
    return fitting;
}

void failForMemory(const RunRequest& request, const std::string& detail, const FreeMemory& freeOn)
{
    // The forecast let this run through, so it cannot vouch for one that is hardly shorter.
    const std::int64_t fitting = std::min(lengthWithRoom(request, freeOn), lengthOf(request) / 2);
    fail(ErrorCode::TooLarge,
         "The memory ran out in this run of " + formatCount(lengthOf(request)) + " tokens; " +
             remedyFor(fitting),
         detail);
}

}  // namespace hs::engine
