#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hs::test {

/// What one call of a program did.
struct Outcome {
    int exitCode = -1;  // 128 + signal when it was killed
    std::string out;
    std::string err;
};

/// Runs the built headscope with these arguments, no display and no download cache.
Outcome headscope(const std::vector<std::string>& arguments,
                  const std::vector<std::string>& environment = {});

/// Runs any program in PATH in the same way.
Outcome runProgram(const std::vector<std::string>& words, const std::vector<std::string>& environment = {});

std::filesystem::path golden(const std::string& name);

}  // namespace hs::test
