#pragma once

#include "engine/request/run_request.h"
#include "engine/run/paths.h"
#include "engine/run/saliency.h"
#include "engine/run/variants.h"
#include "model/arch_spec.h"

namespace hs::engine {

/// Refuses, with the remedy, a request that the model cannot run; run_room checks whether it fits in
/// memory. Throws Failure.
void checkRequest(const RunRequest& request);

/// Refuses two targets that are the same token. Throws Failure.
void checkTargets(std::int64_t target, std::optional<std::int64_t> versus);

/// Like checkRequest for many variants of a run: also checks their heads and target tokens. Throws Failure.
void checkVariants(const VariantRequest& request);

/// Refuses a head that the model does not have, or a head or MLP. Throw Failure.
void checkHead(const model::ArchSpec& spec, HeadId head);
void checkUnit(const model::ArchSpec& spec, HeadId unit);

/// Like checkRequest for what a head, a cell of it or an MLP writes. Throws Failure.
void checkHeadWrite(const RunRequest& request, HeadId head, std::optional<int> key);

/// Like checkRequest for a saliency: also checks its tokens and steps. Throws Failure.
void checkSaliency(const SaliencyRequest& request);

/// Like checkRequest for paths: also checks the source, their ends and target tokens. Throws Failure.
void checkPaths(const PathRequest& request);

/// Refuses a row or column that the request's patterns do not have. Throws Failure.
void checkPlace(const RunRequest& request, int place);

/// Refuses a position that the request's prompt does not have. Throws Failure.
void checkPosition(const RunRequest& request, int position);

}  // namespace hs::engine
