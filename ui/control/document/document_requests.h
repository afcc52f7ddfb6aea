#pragma once

#include "control/document/document.h"
#include "service/analysis.h"

#include <array>
#include <memory>
#include <optional>

namespace hs::control {

/// What a side of the document runs on its model. Throws Failure if the gate's bias is not finite.
service::SideRequest sideRequest(const Document& document, Side side,
                                 std::shared_ptr<const service::OpenModel> model);

/// What a side of the document writes on behind: its prompt, read at the end. Throws Failure as well.
service::SideRequest generationRequest(Document document, Side side,
                                       std::shared_ptr<const service::OpenModel> model);

/// The set of prompts that is open; an empty one if there is none.
service::SetSource setSource(const SetChoice& choice);

/// What the document asks of an analysis for a side; Compare exists for the left side only, EdgeHeads while an edge is
/// picked, Saliency while it is chosen, and HeadWords still lacks its head. None while a model that it needs is missing.
using OpenModels = std::array<std::shared_ptr<const service::OpenModel>, 2>;  // [Side]
std::optional<service::AnalysisRequest> analysisRequest(const Document& document, service::AnalysisKind kind,
                                                        Side side, const OpenModels& models);

}  // namespace hs::control
