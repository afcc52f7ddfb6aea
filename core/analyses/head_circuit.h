#pragma once

#include "base/head_id.h"
#include "base/hooks.h"
#include "base/result.h"
#include "engine/run/adapted_model.h"
#include "engine/run/promoted_tokens.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hs::analyses {

/// What a head does according to its weights alone, without a prompt. The head reads tokens' embeddings, without learned
/// positions, through its layer's own norm, as if nothing before it had written to them: exact in the first layer of a
/// model with rotary positions, an approximation elsewhere. The scales of norms that read the sum of everything depend on
/// a run; they are taken as 1, which leaves order and signs.

/// OV: the tokens whose logits rise and fall, against the mean of all, when the head reads `token`.
Result<engine::PromotedTokens> tokensWritten(const engine::AdaptedModel& model, HeadId head,
                                             std::int64_t token, int count, const Hooks& hooks = {});

/// QK: the tokens with the largest and the smallest scores as keys for `token` as the query, as if both were at one
/// position: rotary positions turn them alike.
Result<engine::PromotedTokens> keysPreferred(const engine::AdaptedModel& model, HeadId head,
                                             std::int64_t token, int count, const Hooks& hooks = {});

/// A head of some layer, and a token that it reads or that is its query.
struct HeadToken {
    int head = 0;
    std::int64_t token = 0;
};

/// The same for several heads of a layer; the vocabulary is gone through once for all of them. [item]
Result<std::vector<engine::PromotedTokens>> tokensWritten(const engine::AdaptedModel& model, int layer,
                                                          std::span<const HeadToken> items, int count,
                                                          const Hooks& hooks);
Result<std::vector<engine::PromotedTokens>> keysPreferred(const engine::AdaptedModel& model, int layer,
                                                          std::span<const HeadToken> items, int count,
                                                          const Hooks& hooks);

/// Whether a head promotes the tokens that it reads: the sum of the eigenvalues of the map from tokens read to
/// logits that tokensWritten shows, over the sum of their sizes. From -1 to 1; 1 for a head that copies whatever it
/// reads.
Result<double> copyingScore(const engine::AdaptedModel& model, HeadId head, const Hooks& hooks = {});
/// Of every head. [layer * head]
Result<std::vector<double>> copyingScores(const engine::AdaptedModel& model, const Hooks& hooks = {});

}  // namespace hs::analyses
