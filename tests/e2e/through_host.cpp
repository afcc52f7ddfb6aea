#include "through_host.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace hs::test {

void sendThroughHost(std::vector<std::string>& words, std::vector<std::string>& environment)
{
    static constexpr auto kCommands = std::to_array<std::string_view>(
        {"run", "tokenize", "metrics", "attribute", "circuit", "sweep", "scatter", "flow", "lens", "heads",
         "pairs", "edges", "compare", "memory"});
    const char* const host = std::getenv("HS_TEST_HOST");
    if (!host || words.size() < 2 || words[0] != HS_PROGRAM || std::ranges::count(kCommands, words[1]) == 0)
        return;
    words.insert(words.begin() + 2, {"--host", host});
    for (const std::string name : {"HEADSCOPE_SSH", "HEADSCOPE_STATE", "HEADSCOPE_FAR_COMMAND"})
        if (const char* const value = std::getenv(name.c_str()))
            environment.push_back(name + "=" + value);
}

}  // namespace hs::test
