#pragma once

#include "base/enum_words.h"
#include "base/head_id.h"
#include "engine/request/run_request.h"
#include "engine/run/promoted_tokens.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hs::engine {

/// Asks where the logit of a token at a position comes from.
struct AttributionRequest {
    RunRequest run;
    int position = -1;  // -1: the last one
    std::int64_t target = 0;
    std::optional<std::int64_t> versus;  // set: the target's logit minus this token's
};

/// A summand of the logit: what one part of the model writes to the residual stream at the
/// position, read along the target's direction. Norms between it and the logit are linear maps,
/// their scales frozen at their values in the run, so the parts add up to the logit.
struct AttributionPart {
    enum class Kind {
        Embedding,  // of the token, and of its position where that is learned
        Head,
        AttentionBias,  // of a layer's output projection, and of a norm after it
        Mlp,            // and what the request writes with it
        FinalBias,      // of the final norm
    };
    Kind kind = Kind::Embedding;
    int layer = 0;  // of Head, AttentionBias and Mlp
    int head = 0;   // of Head
    double value = 0;

    friend bool operator==(const AttributionPart&, const AttributionPart&) = default;
};

constexpr auto enumWords(AttributionPart::Kind)
{
    using Kind = AttributionPart::Kind;
    return std::to_array<EnumWord<Kind>>({{Kind::Embedding, "embedding"},
                                          {Kind::Head, "head"},
                                          {Kind::AttentionBias, "attention bias"},
                                          {Kind::Mlp, "mlp"},
                                          {Kind::FinalBias, "final norm bias"}});
}

/// What a head brings from one key to the requested position.
struct AttributionEdge {
    HeadId head;
    int key = 0;
    double value = 0;

    friend bool operator==(const AttributionEdge&, const AttributionEdge&) = default;
};

/// Direct contributions to the logit (difference) of a token at one position of a run.
struct Attribution {
    HeadShape shape;
    int position = 0;
    double logit = 0;                    // of the target, minus that of `versus` when given
    bool isBeforeCap = false;            // the logit is the one before the model's soft cap
    double probability = 0;              // of the target
    std::vector<double> heads;           // [layer * head]; for ablated ones, what the ablation leaves
    std::vector<AttributionEdge> edges;  // those that are not zero, largest first; none of ablated heads
    std::vector<AttributionPart> parts;  // in the model's order; their sum is the logit
    std::vector<PromotedTokens> mlps;    // [layer] the tokens that what each MLP writes pushes and holds down
};

}  // namespace hs::engine
