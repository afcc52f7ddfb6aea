#pragma once

#include "features/train/coder_trainer.h"

namespace hs::features {

/// The README.md of a set of transcoders: what they were made from and how, and what was measured.
std::string coderReadme(const CoderJob& job, const CoderOutcome& outcome);

/// Writes it into the job's folder, unless somebody else's is there. Throws Failure.
void writeCoderReadme(const CoderJob& job, const CoderOutcome& outcome);

}  // namespace hs::features
