#include "control/side_request.h"

#include <algorithm>

namespace hs {

bool SideRequest::hasSameInput(const SideRequest& other) const
{
    return model == other.model && prompt == other.prompt && tokenIds == other.tokenIds &&
           hasBos == other.hasBos;
}

SideRequest sideRequest(const Document& document, Side side, std::shared_ptr<const OpenModel> model)
{
    const SideSetup& setup = document.side(side);
    SideRequest request;
    request.model = std::move(model);
    request.prompt = document.prompt.toStdString();
    request.tokenIds = document.tokenIds.toStdString();
    request.hasBos = document.hasBos;
    request.gate = setup.gate;
    // A bias that is not used must not start a run.
    request.gateBias = setup.gate == GateChoice::Score ? setup.gateBias : 0;
    request.ablations = setup.ablations;
    const bool hasPatches = std::ranges::any_of(
        setup.ablations, [](const auto& entry) { return entry.second == HeadAblation::Kind::Replace; });
    if (hasPatches)
        request.patch = document.corrupted.toStdString();
    request.position = document.position;
    request.target = document.target.toStdString();
    request.distractor = document.distractor.toStdString();
    return request;
}

}  // namespace hs
