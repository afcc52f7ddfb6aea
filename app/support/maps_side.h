#pragma once

#include "app/support/arguments.h"
#include "base/json.h"
#include "service/backend.h"

#include <optional>
#include <string>

namespace hs::app {

/// Attention maps from a file, for the commands that can do without an engine; none if `model` names a model.
/// What takes an engine, a prompt or an ablation, is refused. Throws Failure.
std::optional<service::SideRequest> openMaps(const std::string& model, const PromptArguments& prompt,
                                             const RunArguments& run);

/// A model with its prompt or maps from a file. Throws Failure.
service::SideRequest openSide(service::Backend& backend, const engine::ModelArguments& model,
                              const PromptArguments& prompt, const RunArguments& run);

/// What an analysis finds in maps. Throws Failure.
service::AnalysisResult analyseMaps(const service::AnalysisRequest& request, const Hooks& hooks);

/// Adds the maps' title and tokens to what a command writes; the keys' tokens where they are others.
void addTokens(Json& json, const service::OpenModel& model);

}  // namespace hs::app
