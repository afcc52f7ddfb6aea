#pragma once

#include <array>

namespace hs::text {

/// The words of prompt pairs. Names and years are only used where they are single tokens.
inline constexpr std::array kPairNames = {
    "Mary",  "John",  "Tom",   "James",   "Dan",   "Martin",  "Amy",   "Anna",    "Alice",  "Bob",
    "David", "Emma",  "Frank", "George",  "Henry", "Jack",    "Jane",  "Jim",     "Kate",   "Kevin",
    "Laura", "Linda", "Lucy",  "Mark",    "Max",   "Michael", "Paul",  "Peter",   "Rachel", "Robert",
    "Sam",   "Sarah", "Sara",  "Simon",   "Steve", "Sue",     "Susan", "Tim",     "Thomas", "William",
    "Lily",  "Ben",   "Mia",   "Charlie", "Ryan",  "Chris",   "Alex",  "Richard", "Andrew", "Daniel"};

inline constexpr std::array kPairPlaces = {"store",  "park",    "school", "house",
                                           "garden", "station", "office", "shops"};

inline constexpr std::array kPairThings = {"drink", "book",   "ball",    "kiss",
                                           "ring",  "letter", "present", "bottle of milk"};

/// {A} and {B} are the names, {S} the one that is named again.
inline constexpr std::array kPairSentences = {
    "When {A} and {B} went to the {place}, {S} gave a {thing} to",
    "After {A} and {B} went to the {place}, {S} gave a {thing} to",
    "While {A} and {B} were at the {place}, {S} handed a {thing} to",
    "Then {A} and {B} had a long walk to the {place}, and {S} gave a {thing} to"};

inline constexpr std::array kPairEvents = {"war",      "siege",   "campaign", "journey", "conflict",
                                           "reign",    "strike",  "famine",   "treaty",  "expedition",
                                           "blockade", "dynasty", "drought",  "revolt",  "project"};

/// A word and its opposite, alternating; an even number of such pairs.
inline constexpr std::array kPairOpposites = {
    "hot",     "cold",      "big",   "small",  "up",    "down",   "old",   "young",  "fast",
    "slow",    "light",     "dark",  "early",  "late",  "rich",   "poor",  "hard",   "soft",
    "wet",     "dry",       "high",  "low",    "open",  "closed", "full",  "empty",  "good",
    "bad",     "long",      "short", "loud",   "quiet", "strong", "weak",  "clean",  "dirty",
    "happy",   "sad",       "near",  "far",    "thick", "thin",   "wide",  "narrow", "deep",
    "shallow", "true",      "false", "left",   "right", "first",  "last",  "sweet",  "sour",
    "cheap",   "expensive", "black", "white",  "day",   "night",  "north", "south",  "inside",
    "outside", "above",     "below", "always", "never", "love",   "hate",  "win",    "lose"};

/// A question about a word, which stands between `beginning` and `end`; its opposite follows. {X} and {Y} are
/// another word and its opposite.
struct OppositeSentence {
    const char* beginning;
    const char* space;  // before either
    const char* end;
};
inline constexpr OppositeSentence kOppositeSentences[] = {
    {"The opposite of \"", "", "\" is \""},
    {"The opposite of \"{X}\" is \"{Y}\". The opposite of \"", "", "\" is \""},
    {"The opposite of {X} is {Y}, and the opposite of", " ", " is"}};

}  // namespace hs::text
