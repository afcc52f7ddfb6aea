#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/request/run_request.h"
#include "engine/request/run_result.h"

#include <cstdint>
#include <memory>

namespace hs::engine {

class GrowingRun;

/// How a token is chosen by its probability.
struct TokenDraw {
    double temperature = 0;  // 0: the most probable one
    int topK = 0;            // among that many most probable ones; 0: among all
    double number = 0;       // from 0 to 1, which is excluded: where in the probabilities, laid end to end
};

struct ContinuedRun {
    RunResult run;
    Prediction next;  // the token drawn where the run is read, with its own probability in the model
};

/// Runs texts that grow at their end. Keys and values are kept, and so is what tiles and statistics need of the
/// patterns, so that a request whose tokens begin with the last one's costs its new tokens alone; with any
/// other difference, everything is computed. Equal to running the whole text, up to rounding: an
/// ablation by the mean changes the past with each token, so that layers from the first one on are
/// computed for all of it. Owned and called by one thread.
class Continuation {
public:
    Continuation();
    ~Continuation();

    /// Full maps, logits of all positions and heads' outputs are not kept, and nothing can be patched.
    Result<ContinuedRun> run(const RunRequest& request, const TokenDraw& draw = {}, const Hooks& hooks = {});

    /// What is kept of the text so far: it grows with each token.
    std::uint64_t bytes() const;

private:
    std::unique_ptr<GrowingRun> m_run;
};

}  // namespace hs::engine
