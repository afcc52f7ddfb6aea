#pragma once

#include "base/failure.h"

#include <optional>
#include <string>
#include <vector>

namespace hs::app {

/// One question of a file of prompts, as written there.
struct PromptLine {
    int index = 0;      // among the questions of the file, from 0
    std::string where;  // for errors: "Line 3 of prompts.jsonl"
    std::string text;
    std::string target;
    std::optional<std::string> versus;
    std::optional<std::string> source;  // another prompt of as many tokens
};

/// Reads JSON lines {"text", "target", "versus", "source"}, the last two optional; empty lines are
/// skipped. Throws a Failure that names the faulty line.
std::vector<PromptLine> readPromptFile(const std::string& file);

/// A prompt of which nothing is asked.
struct TextLine {
    int index = 0;
    std::string where;
    std::string text;
};

/// Reads JSON lines {"text"} in the same way; whatever else a line has is left aside, so that files of
/// questions will do.
std::vector<TextLine> readTextFile(const std::string& file);

/// A prompt, and the same without what its answer depends on.
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

/// Runs `check` for a line and adds the line to what it throws.
template <class Check>
auto checkedLine(const std::string& where, Check&& check)
{
    try {
        return check();
    } catch (const Failure& failure) {
        throw Failure({failure.error().code, where + ": " + failure.error().message, failure.error().detail});
    }
}

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
