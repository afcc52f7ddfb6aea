#pragma once

#include "train/task_prompts.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hs::train {

enum class Split { Training, HeldOut };

/// Two prompts that end before the same answer position in the same token. In `corrupted` the one word
/// that decides the answer is different: its answer is `versus`, that of `clean` is `target`.
struct TaskPair {
    Task task = Task::IndirectObject;
    std::vector<std::int64_t> clean;  // <bos> first
    std::vector<std::int64_t> corrupted;
    std::int64_t target = 0;
    std::int64_t versus = 0;
    TaskAnswer answer;      // all that is right for `clean`
    std::string cleanText;  // which the tokenizer turns into `clean`
    std::string corruptedText;
};

/// The built-in tasks: short sentences whose beginnings determine some of their words. Everything is
/// a function of the arguments alone, on every machine; may be called from any thread.
///
/// A text up to its last answer is either for training or held out, by a hash of its words, so no
/// training prompt gives away what a held-out one asks. Single sentences about opposites are all for
/// training, because a word that was never seen has no opposite to be guessed.
class TaskSuite {
public:
    TaskPrompt prompt(Task task, Split split, std::uint64_t number) const;

    /// Training prompts of a task one after another that fill exactly `length` tokens, at least
    /// kLongestPrompt; for repeats, one longer sequence instead.
    TaskPrompt longPrompt(Task task, int length, std::uint64_t number) const;

    /// A held-out prompt up to one of its answers, and its corrupted twin. The second name becomes
    /// the other one, the start year an earlier one, a word or a digit another, the subject's
    /// number the other. For greater-than, `target` is a year after both starts and `versus` one
    /// between them: right for the corrupted prompt alone.
    TaskPair pair(Task task, std::uint64_t number) const;

    /// The vocabulary, by id.
    std::vector<std::string> words() const;

    /// Words with spaces between, without <bos>.
    std::string text(std::span<const std::int64_t> tokens) const;
};

}  // namespace hs::train
