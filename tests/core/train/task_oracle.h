#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace hs::test {

inline std::vector<std::string> wordsIn(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

inline std::map<std::string, std::string> oppositesByHand()
{
    const std::vector<std::string> words = wordsIn(
        "large small hot cold up down old young fast slow light dark early late rich poor hard soft wet dry "
        "high low open closed full empty good bad long short loud quiet strong weak clean dirty happy sad "
        "near far thick thin wide narrow deep shallow true false right wrong first last alive dead sharp "
        "blunt smooth rough sweet sour brave timid cheap costly simple complex tight loose warm cool modern "
        "ancient above below inside outside always never north south");
    std::map<std::string, std::string> opposites;
    for (std::size_t at = 0; at < words.size(); at += 2) {
        opposites[words[at]] = words[at + 1];
        opposites[words[at + 1]] = words[at];
    }
    return opposites;
}

/// What may follow the beginning of one prompt, by reading it as a person would.
inline std::set<std::string> rightAnswers(const std::string& beginning)
{
    static const std::map<std::string, std::string> kOpposites = oppositesByHand();
    const std::vector<std::string> words = wordsIn(beginning);
    const auto number = [&](std::size_t at) { return std::stoi(words.at(at) + words.at(at + 1)); };
    const std::string& start = words.at(0);
    if (start == "When" || start == "After")
        return {words.at(9) == words.at(1) ? words.at(3) : words.at(1)};
    if (start == "Today" || start == "Yesterday") {
        const bool isPlural = words.at(2).back() == 's';
        if (start == "Today")
            return {isPlural ? "are" : "is"};
        return {isPlural ? "were" : "was"};
    }
    if (start == "The" && words.at(1) == "opposite")
        return {kOpposites.at(words.at(words.size() - 4))};
    if (start == "The") {
        std::set<std::string> years;
        for (int year = std::stoi(words.at(7)) + 1; year <= 99; ++year)
            years.insert(std::to_string(year));
        return words.at(6) == words.back() ? years : std::set<std::string>{};
    }
    if (words.size() > 5 && words.at(5) == "=") {
        const int sum = number(0) + number(3);
        return {std::to_string(1000 + sum).substr(words.size() - 5, 1)};
    }
    const auto before = std::find(words.begin(), words.end(), words.back());
    return {*(before + 1)};
}

}  // namespace hs::test
