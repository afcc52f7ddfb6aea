#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/load/model_loader.h"

#include <string>
#include <vector>

namespace hs::bench {

/// One measured quantity; `note` says against what it is held.
struct Measurement {
    std::string name;
    double value = 0;
    std::string unit;
    std::string note;
};

struct BenchmarkOptions {
    engine::LoadOptions place;
    int tokens = 64;
    int rounds = 11;  // each quantity is the median of so many
    int ablatedLayer = 9;
    bool tf32 = false;
};

/// Times a GPT-2-small-shaped model with random weights: the full run with all maps against its
/// matrix products alone, and the re-run after an ablation against the full run, all in turn within
/// the same rounds.
Result<std::vector<Measurement>> benchmarkRuns(const BenchmarkOptions& options, const Hooks& hooks = {});

/// Times the sweep of all of its 144 heads over 16 tokens against a full run of each, with the loss of
/// the whole prompt and without it.
Result<std::vector<Measurement>> benchmarkSweep(const BenchmarkOptions& options, const Hooks& hooks = {});

/// Times runs of it over 1,024 tokens that pool tiles and statistics as they go against such that keep
/// all maps: the attention of all layers alone, and the whole run.
Result<std::vector<Measurement>> benchmarkPooling(const BenchmarkOptions& options, const Hooks& hooks = {});

/// Loads such a model from a temporary folder: speed, and the peak of resident memory against its bound.
/// Run it first: memory held before counts.
Result<std::vector<Measurement>> benchmarkLoading(const BenchmarkOptions& options, const Hooks& hooks = {});

}  // namespace hs::bench
