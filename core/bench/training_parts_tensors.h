#pragma once

#include "bench/training_benchmark.h"
#include "train/batch.h"
#include "train/optimizer_tensors.h"

namespace hs::bench {

/// Times the parts of a step of sparse post-training one by one, on numbers of its shapes, each recorded on a
/// GPU as the step is: what is left of the step's time is in none of them.
std::vector<Measurement> measureTrainingParts(const TrainingBenchmark& options, const train::Batch& batch,
                                              train::TrainingVectors& vectors,
                                              const train::Options& training);

}  // namespace hs::bench
