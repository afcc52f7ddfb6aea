#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace hs::train {

/// The groups of the built-in tasks' words; ids follow this order.
enum class WordGroup {
    Special,
    Grammar,
    Digits,
    Years,  // centuries are the same words
    Names,
    Places,
    Things,  // their plurals are in ManyThings
    ManyThings,
    Landmarks,  // their plurals are in ManyLandmarks
    ManyLandmarks,
    Opposites,  // a word and its opposite, alternating
    Events,
    States,  // what a thing may be said to be
};

inline constexpr std::array<std::string_view, 13> kWordGroups = {
    "<bos> <unk>",
    R"(When After and went to the , gave a handed . The opposite of " is lasted from year + = Today )"
    "Yesterday are was were behind beside under",
    "0 1 2 3 4 5 6 7 8 9",
    "10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 "
    "41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 "
    "72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99",
    "Mary John Anna Tom Kate Paul Lucy Mark Emma Jack Sara Luke Nina Adam Rose Sam Alice Ben "
    "Clara David Ella Frank Grace Henry Ivy James Leo Maria Noah Oscar Peter Ruth",
    "store park school house beach office garden station shop museum library market cafe hotel "
    "theatre church bank farm harbour zoo",
    "drink book ball bag ring letter gift key map coin pen cup hat lamp box phone ticket flower "
    "watch camera",
    "drinks books balls bags rings letters gifts keys maps coins pens cups hats lamps boxes "
    "phones tickets flowers watches cameras",
    "cabinet window table door chair wall bed shelf tree picture desk mirror bridge fence gate "
    "tower",
    "cabinets windows tables doors chairs walls beds shelves trees pictures desks mirrors bridges "
    "fences gates towers",
    "large small hot cold up down old young fast slow light dark early late rich poor hard soft "
    "wet dry high low open closed full empty good bad long short loud quiet strong weak clean "
    "dirty happy sad near far thick thin wide narrow deep shallow true false right wrong first "
    "last alive dead sharp blunt smooth rough sweet sour brave timid cheap costly simple complex "
    "tight loose warm cool modern ancient above below inside outside always never north south",
    "war journey project reign drought voyage trial festival siege strike mission tour",
    "lost broken missing gone ready hidden sold stolen"};

/// Words with consecutive ids.
struct WordRange {
    std::int64_t first = 0;
    std::int64_t count = 0;

    constexpr std::int64_t operator[](std::int64_t index) const { return first + index; }
    constexpr std::int64_t last() const { return first + count - 1; }
    constexpr bool has(std::int64_t id) const { return id >= first && id < first + count; }
};

constexpr std::int64_t countWords(std::string_view text)
{
    return text.empty() ? 0 : 1 + std::count(text.begin(), text.end(), ' ');
}

constexpr WordRange wordsOf(WordGroup group)
{
    WordRange range;
    for (std::size_t at = 0; at < static_cast<std::size_t>(group); ++at)
        range.first += countWords(kWordGroups[at]);
    range.count = countWords(kWordGroups[static_cast<std::size_t>(group)]);
    return range;
}

inline constexpr std::int64_t kBos = 0;
inline constexpr std::int64_t kUnknown = 1;
inline constexpr WordRange kDigits = wordsOf(WordGroup::Digits);
inline constexpr WordRange kYears = wordsOf(WordGroup::Years);
inline constexpr int kFirstYear = 10;
inline constexpr std::int64_t kTaskWordCount = wordsOf(WordGroup::States).last() + 1;

/// The words of repeated sequences: all that mean something by themselves.
inline constexpr WordRange kContentWords = {kYears.last() + 1, kTaskWordCount - kYears.last() - 1};

constexpr std::array<std::string_view, kTaskWordCount> splitWords()
{
    std::array<std::string_view, kTaskWordCount> words;
    std::size_t count = 0;
    for (std::string_view rest : kWordGroups)
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            words[count++] = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    return words;
}

/// [id]
inline constexpr std::array<std::string_view, kTaskWordCount> kTaskWords = splitWords();

/// A few words of a sentence that are always the same.
struct Phrase {
    std::array<std::int64_t, 8> ids = {};
    std::size_t count = 0;
};

/// Looked up by the compiler, so a word that is not in the vocabulary does not compile.
consteval Phrase phrase(std::string_view text)
{
    Phrase found;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const auto word = std::find(kTaskWords.begin(), kTaskWords.end(), text.substr(0, end));
        if (word == kTaskWords.end())
            throw std::invalid_argument("not a word of the tasks");
        found.ids[found.count++] = word - kTaskWords.begin();
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return found;
}

consteval std::int64_t wordId(std::string_view word)
{
    return phrase(word).ids[0];
}

}  // namespace hs::train
