#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/load/model_loader.h"

#include <string>
#include <vector>

namespace hs::bench {

/// One measured quantity; `note` says what to compare it with.
struct Measurement {
    std::string name;
    double value = 0;
    std::string unit;
    std::string note;
};

struct Options {
    engine::LoadOptions place;
    int tokens = 64;
    int rounds = 11;  // each quantity is the median of this many
    int ablatedLayer = 9;
    bool tf32 = false;
};

/// Times a model of GPT-2 small's shape with random weights: the full run with all maps against its
/// matrix products alone, and the re-run after an ablation against the full run, interleaved within
/// the same rounds.
Result<std::vector<Measurement>> benchmarkRuns(const Options& options, const Hooks& hooks = {});

/// Times the sweep of all its 144 heads over 16 tokens against a full run for each, with and without the
/// loss of the whole prompt.
Result<std::vector<Measurement>> benchmarkSweep(const Options& options, const Hooks& hooks = {});

/// Times averages of all its heads over 1,000 prompts of 32 tokens against their matrix products alone, and says by
/// how much memory grew meanwhile.
Result<std::vector<Measurement>> benchmarkSet(const Options& options, const Hooks& hooks = {});

/// Times pages of all its heads over rows of 128 tokens, 100,000 of them on a GPU and a part on a processor, against
/// their matrix products alone, and says by how much memory grew meanwhile.
Result<std::vector<Measurement>> benchmarkHeadPages(const Options& options, const Hooks& hooks = {});

/// Times its runs over 1,024 tokens that pool tiles and statistics as they go against runs that keep all
/// maps: the attention of all layers alone, and the whole run.
Result<std::vector<Measurement>> benchmarkPooling(const Options& options, const Hooks& hooks = {});

/// Times a generated token of a model of SmolLM2-135M's shape, with the tiles and statistics of all heads, against
/// reading its weights once; and says what 2,000 tokens of a small model add to the memory that is held.
Result<std::vector<Measurement>> benchmarkGeneration(const Options& options, const Hooks& hooks = {});

/// Loads such a model from a temporary folder: speed, and peak resident memory against its bound. Run it
/// first: memory already held counts.
Result<std::vector<Measurement>> benchmarkLoading(const Options& options, const Hooks& hooks = {});

}  // namespace hs::bench
