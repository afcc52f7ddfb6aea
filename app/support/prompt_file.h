#pragma once

#include "base/failure.h"

#include <optional>
#include <string>
#include <vector>

namespace hs::app {

/// One question of a file of prompts, as it is written there.
struct PromptLine {
    int index = 0;      // among the questions of the file, from 0
    std::string where;  // for errors: "Line 3 of prompts.jsonl"
    std::string text;
    std::string target;
    std::optional<std::string> versus;
    std::optional<std::string> source;  // another prompt of as many tokens
};

/// Reads JSON lines {"text", "target", "versus", "source"}, the last two if wanted; empty lines are
/// skipped. Throws Failure with the line that is wrong.
std::vector<PromptLine> readPromptFile(const std::string& file);

/// A prompt and what it becomes without what its answer hangs on.
struct PairLine {
    int index = 0;
    std::string where;
    std::string clean;
    std::string corrupted;
    std::string target;
    std::string versus;
};

/// Reads JSON lines {"clean", "corrupted" or "corrupt", "target", "versus"} in the same way.
std::vector<PairLine> readPairFile(const std::string& file);

/// Runs `check` for a line and names the line in what it throws.
template <class Check>
auto checkedLine(const std::string& where, Check&& check)
{
    try {
        return check();
    } catch (const Failure& failure) {
        throw Failure({failure.error().code, where + ": " + failure.error().message, failure.error().detail});
    }
}

/// A part of some work for one of several machines: every n-th item, from i.
struct Shard {
    int index = 0;  // from 0
    int count = 1;

    bool has(int item) const { return item % count == index; }
};

/// Reads "2/8": the second of eight. Throws Failure.
Shard parseShard(const std::string& text);

}  // namespace hs::app
