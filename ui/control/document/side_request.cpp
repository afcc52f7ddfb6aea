#include "control/document/side_request.h"

#include <algorithm>

namespace hs::control {

bool SideRequest::hasSameInput(const SideRequest& other) const
{
    return model == other.model && prompt == other.prompt && tokenIds == other.tokenIds &&
           hasBos == other.hasBos;
}

SideRequest sideRequest(const Document& document, Side side, std::shared_ptr<const OpenModel> model)
{
    const SideSetup& setup = document.side(side);
    SideRequest request;
    request.prompt = document.prompt.toStdString();
    request.tokenIds = document.tokenIds.toStdString();
    request.hasBos = document.hasBos;
    // Resolved for the model: a bias that is not used must not start a run.
    request.gate = engine::chooseGate(setup.gate, model ? model->ownGateBias : std::nullopt);
    request.ablations = setup.ablations;
    const bool hasPatches = std::ranges::any_of(setup.ablations, [](const auto& entry) {
        return entry.second == engine::HeadAblation::Kind::Replace;
    });
    if (hasPatches)
        request.patch = document.corrupted.toStdString();
    request.position = document.position;
    request.target = document.target.toStdString();
    request.distractor = document.distractor.toStdString();
    request.model = std::move(model);
    return request;
}

}  // namespace hs::control
