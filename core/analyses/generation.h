#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/request/run_request.h"
#include "engine/request/run_result.h"
#include "engine/run/engine.h"
#include "stats/pattern_distance.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hs::analyses {

/// What a model should write after a prompt. The same request gives the same tokens.
struct GenerationRequest {
    engine::RunRequest run;  // of the prompt
    int count = 0;           // most tokens
    double temperature = 0;  // 0: always the most probable token
    int topK = 0;            // draws among that many most probable ones; 0: among all
    std::uint64_t seed = 1;
    int ablateFrom = 0;  // the step from which on the run's ablations apply, to the whole text
    int runnersUp = 5;
    std::vector<std::int64_t> endTokens;  // after one of them nothing follows
};

/// A step: the token that was chosen by the row of the one before it.
struct GeneratedToken {
    engine::Prediction token;
    std::vector<engine::Prediction> runnersUp;  // the most probable others, most probable first
};

enum class GenerationEnd {
    Count,     // all tokens asked for
    EndToken,  // the last one ends the text
    Context,   // the model reads no more
    Listener,  // who was told of the steps had enough
};

constexpr auto enumWords(GenerationEnd)
{
    return std::to_array<EnumWord<GenerationEnd>>({{GenerationEnd::Count, "count"},
                                                   {GenerationEnd::EndToken, "end_token"},
                                                   {GenerationEnd::Context, "context"},
                                                   {GenerationEnd::Listener, "stop_text"}});
}

struct Generation {
    std::vector<GeneratedToken> tokens;
    GenerationEnd end = GenerationEnd::Count;
    std::uint64_t bytesKept = 0;  // of keys, values and patterns at the end
};

/// Called after each step with the run that chose the token; returns whether to go on.
using StepNews = std::function<bool(const GeneratedToken&, const engine::RunResult&)>;

/// Writes tokens one by one, each at the cost of one.
Result<Generation> generate(const GenerationRequest& request, const Hooks& hooks = {},
                            const StepNews& news = {});

/// Where two continuations of one prompt first differ.
std::optional<int> partingStep(const Generation& first, const Generation& second);

/// A model at the place where it and another one part.
struct PartingModel {
    engine::Engine& engine;
    const engine::RunRequest& run;  // of the text that both have written
    std::int64_t token = 0;         // that it writes next
};

/// What a head of two models does where they part.
struct PartingHead {
    HeadId head;
    double first = 0;  // what it adds to the logit of the first model's token, minus that of the second's
    double second = 0;
    stats::PatternDistance distance;  // of how it looks back from the last token
};

/// For all heads of two models of one shape, those first that speak most differently for the two tokens; none for models
/// of different shapes. Both runs have the same tokens.
Result<std::vector<PartingHead>> headsAtParting(const PartingModel& first, const PartingModel& second,
                                                const Hooks& hooks = {});

}  // namespace hs::analyses
