#pragma once

#include "app/support/arguments.h"
#include "engine/load/open_model.h"

#include <filesystem>
#include <optional>
#include <string>

namespace hs::app {

/// The token whose logit is looked at; none: the most probable ones.
struct EffectTarget {
    std::optional<std::string> target;
    std::optional<std::string> versus;
};

void addEffectOptions(CLI::App& command, EffectTarget& target);

/// What scaling features does: predicted by the graph's edges, with everything held, with patterns held, and for
/// real; as a table, or as JSON where a file is given. Throws Failure.
void showEffects(const engine::Workspace& workspace, const std::filesystem::path& folder,
                 const PromptArguments& prompt, RunArguments run, const EffectTarget& target,
                 const std::string& json);

}  // namespace hs::app
