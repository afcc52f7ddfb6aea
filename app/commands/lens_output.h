#pragma once

#include "base/json.h"
#include "engine/load/open_model.h"
#include "engine/run/head_write.h"
#include "engine/run/lens.h"
#include "engine/run/saliency.h"

#include <optional>
#include <string>

namespace hs::app {

/// What `lens` found in one model, as JSON for programs and as a table for people.
struct LensOutput {
    Json json;
    std::string table;
};

LensOutput lensOutput(const engine::Workspace& workspace, const engine::RunRequest& run,
                      const engine::Lens& lens);

/// What a head adds to the logits at a position of a run.
LensOutput writeOutputOf(const engine::Workspace& workspace, const engine::RunRequest& run,
                         const engine::HeadWrite& write);

/// What a head does with a token by its weights alone.
LensOutput circuitOutput(const engine::Workspace& workspace, HeadId head, std::int64_t token,
                         const engine::PromotedTokens& written, const engine::PromotedTokens& keys);

LensOutput copyingOutput(const engine::Workspace& workspace, const std::vector<double>& scores);

LensOutput saliencyOutput(const engine::Workspace& workspace, const engine::SaliencyRequest& request,
                          const engine::Saliency& saliency);

}  // namespace hs::app
