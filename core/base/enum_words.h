#pragma once

#include "base/failure.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hs {

/// What files and the command line call a value of an enum; it never changes. An enum's words are declared
/// beside it, in a function that is found by the enum's type:
///
///     constexpr auto enumWords(Side)
///     {
///         return std::to_array<EnumWord<Side>>({{Side::Left, "left"}, {Side::Right, "right"}});
///     }
///
/// If a value has several words, the first is written and all are read.
template <class Enum>
struct EnumWord {
    Enum value;
    std::string_view word;
};

/// Empty for a value that has none.
template <class Enum>
constexpr std::string_view wordOf(Enum value)
{
    for (const auto& entry : enumWords(value))
        if (entry.value == value)
            return entry.word;
    return {};
}

/// The value that a word stands for, if any.
template <class Enum>
constexpr std::optional<Enum> fromWord(std::string_view word)
{
    for (const auto& entry : enumWords(Enum()))
        if (entry.word == word)
            return entry.value;
    return std::nullopt;
}

template <class Enum>
std::vector<std::string> allWords()
{
    std::vector<std::string> words;
    for (const auto& entry : enumWords(Enum()))
        words.emplace_back(entry.word);
    return words;
}

/// "left, right", with each word between `quote`s.
template <class Enum>
std::string listOfWords(const std::string& quote = {})
{
    std::string list;
    for (const std::string& word : allWords<Enum>())
        list += (list.empty() ? "" : ", ") + quote + word + quote;
    return list;
}

/// The value of a word that the user gave for a `what`. Throws a Failure that lists the valid words.
template <class Enum>
Enum chosenBy(std::string_view word, const std::string& what)
{
    if (const std::optional<Enum> value = fromWord<Enum>(word))
        return *value;
    fail(ErrorCode::BadRequest, "There is no " + what + " \"" + std::string(word) + "\"; choose one of " +
                                    listOfWords<Enum>() + ".");
}

}  // namespace hs
