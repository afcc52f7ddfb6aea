#pragma once

#include "train/trainer.h"

namespace hs::train {

/// Throws Failure where a job cannot be done, or not in the memory there is.
void checkJob(const Job& job);

}  // namespace hs::train
