#pragma once

#include "base/failure.h"
#include "text/prompt_set.h"

#include <string>
#include <vector>

namespace hs::app {

/// Thrown in the end by work over a set that could not do all of it; what it could do is written.
class LeftOut : public Failure {
public:
    using Failure::Failure;
};

/// Says which prompts were left out and throws LeftOut, if there are any.
void reportLeftOut(const std::vector<text::LeftOutPrompt>& leftOut, int promptCount);

/// One machine's share of some work: every `count`-th item from `index` on.
struct Shard {
    int index = 0;  // from 0
    int count = 1;

    bool has(int item) const { return item % count == index; }
};

/// Reads "2/8": the second of eight; "auto" is by the rank that torchrun or srun gave this process. Throws
/// Failure.
Shard parseShard(const std::string& text);

}  // namespace hs::app
