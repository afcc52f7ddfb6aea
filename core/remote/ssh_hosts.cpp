#include "remote/ssh_hosts.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace hs::remote {
namespace {

constexpr std::size_t kMostHosts = 200;

bool isHostKeyword(std::string word)
{
    std::ranges::transform(word, word.begin(), [](unsigned char letter) { return std::tolower(letter); });
    return word == "host";
}

}  // namespace

std::vector<std::string> configuredHosts(const std::filesystem::path& file)
{
    std::vector<std::string> hosts;
    std::ifstream input(file);
    for (std::string line; hosts.size() < kMostHosts && std::getline(input, line);) {
        std::ranges::replace(line, '=', ' ');
        std::istringstream words(line);
        std::string word;
        if (!(words >> word) || !isHostKeyword(word))
            continue;
        while (words >> word && !word.starts_with('#'))
            if (word.find_first_of("*?!\"") == std::string::npos && std::ranges::count(hosts, word) == 0)
                hosts.push_back(word);
    }
    return hosts;
}

std::vector<std::string> configuredHosts()
{
    const char* const home = std::getenv("HOME");
    return home ? configuredHosts(std::filesystem::path(home) / ".ssh" / "config")
                : std::vector<std::string>();
}

}  // namespace hs::remote
