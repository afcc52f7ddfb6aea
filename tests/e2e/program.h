#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hs::test {

/// The demo pair knows the answer.
inline const std::string kPrompt = "When Mary and John went to the store , John gave a drink to";

using Words = std::vector<std::string>;

inline Words operator+(Words words, const Words& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// What one call of a program did.
struct Outcome {
    int exitCode = -1;  // 128 + signal when it was killed
    std::string out;
    std::string err;
};

/// Runs the built headscope with these arguments, no display and no download cache.
Outcome headscope(const Words& arguments, const Words& environment = {});

/// Runs any program in PATH in the same way.
Outcome runProgram(const Words& words, const Words& environment = {});

std::filesystem::path golden(const std::string& name);

}  // namespace hs::test
