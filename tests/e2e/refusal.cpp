#include "refusal.h"

#include "support/catch.h"

#include <sstream>

namespace hs::test {

std::vector<std::string> sentencesIn(const std::string& err)
{
    std::vector<std::string> sentences;
    std::istringstream lines(err);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("headscope: "))
            sentences.push_back(line);
    return sentences;
}

void requireRefusal(const Outcome& outcome, const std::string& words)
{
    INFO(outcome.err);
    CHECK(outcome.exitCode == 1);
    CHECK(outcome.out.empty());
    const std::vector<std::string> sentences = sentencesIn(outcome.err);
    REQUIRE(sentences.size() == 1);
    CHECK(sentences.front().find(words) != std::string::npos);
}

}  // namespace hs::test
