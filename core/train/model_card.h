#pragma once

#include "train/trainer.h"

#include <string>

namespace hs::train {

/// The README.md of a sparse model: what it was made from and how, and what was measured, nothing else.
/// Model hubs read its front matter. `options` are those that the training ended with.
std::string modelCard(const Job& job, const Options& options, const Outcome& outcome);

/// Writes it as README.md into the job's folder, unless somebody else's is there. Throws Failure.
void writeModelCard(const Job& job, const Options& options, const Outcome& outcome);

}  // namespace hs::train
