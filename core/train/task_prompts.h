#pragma once

#include "base/draws.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hs::train {

enum class Task { IndirectObject, GreaterThan, Opposite, Addition, Repeat, Agreement };

inline constexpr int kTaskCount = 6;
inline constexpr int kLongestPrompt = 32;  // tokens, <bos> included

/// "indirect objects".
std::string_view taskName(Task task);

/// What is right at one position of a prompt: any of the ids from `first` to `last`.
struct TaskAnswer {
    int position = 0;
    std::int64_t first = 0;
    std::int64_t last = 0;
    int source = 0;  // position of the word that decides it, which a corrupted prompt exchanges

    friend bool operator==(const TaskAnswer&, const TaskAnswer&) = default;
};

struct TaskPrompt {
    Task task = Task::IndirectObject;
    std::vector<std::int64_t> tokens;  // <bos> first; includes the right answers
    std::vector<TaskAnswer> answers;   // by position, at least one

    /// The words before an answer, without <bos>.
    std::span<const std::int64_t> beginning(const TaskAnswer& answer) const
    {
        return std::span(tokens).subspan(1, static_cast<std::size_t>(answer.position) - 1);
    }
};

/// Any prompt of the task, whatever its split.
TaskPrompt drawPrompt(Task task, Draws& draws);

/// One more sentence about a word and its opposite, of kOppositeWords words.
inline constexpr int kOppositeWords = 11;
inline constexpr int kMostOpposites = 3;  // sentences per prompt
void appendOpposite(TaskPrompt& prompt, Draws& draws);

/// A sequence of `count` different words, repeated until there are `length` tokens.
TaskPrompt drawRepeat(std::int64_t count, int length, Draws& draws);

/// Keeps the first `length` tokens.
void cutPrompt(TaskPrompt& prompt, int length);

}  // namespace hs::train
