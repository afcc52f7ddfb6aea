#pragma once

#include "service/backend.h"

namespace hs::service {

/// The token a text stands for, or why it stands for none.
struct WatchChoice {
    std::int64_t id = -1;  // -1: none asked for, or not one token
    std::string problem;

    friend bool operator==(const WatchChoice&, const WatchChoice&) = default;
};

/// Exactly one token: the text as it was typed, otherwise the text after a space.
WatchChoice chooseWatched(const text::Tokenizer& tokenizer, const std::string& text);

/// The one token a text stands for. Throws Failure.
std::int64_t tokenOf(const SideRequest& request, const std::string& text);

/// A side's request in the engine's terms.
struct EngineRequest {
    std::vector<text::Token> tokens;
    text::Blocks blocks;  // of the tokens
    engine::RunRequest run;
    WatchChoice target;
    WatchChoice distractor;
    WatchChoice next;
};

/// Tokenises; not for the UI thread. Throws Failure.
EngineRequest engineRequest(const SideRequest& request);

/// Names the rows and columns of a result: the tokens, or blocks of them.
void nameTokens(const EngineRequest& plan, SideResult& result);

/// Reads off the runs of a result where they were read and what is watched there.
void readWatched(const EngineRequest& plan, SideResult& result);

/// The tokens whose logits an analysis reads.
struct WatchedLogits {
    std::int64_t target = 0;
    std::optional<std::int64_t> versus;
};

/// Those a side's request names; without a target, the one its run predicts. Throws Failure.
WatchedLogits watchedLogits(const SideRequest& request, const engine::RunRequest& run, engine::Engine& engine,
                            const Hooks& hooks);

/// Cells per side of the tiles: fine enough to read, and within `bytes` for all heads together.
int tileSideFor(const HeadShape& heads, int tokens, int bytes);

}  // namespace hs::service
