#pragma once

#include <string>
#include <vector>

namespace hs::test {

/// Where HS_TEST_HOST is set, commands that the tests start compute on another machine, which must not change what
/// they do: --host is added after the command's name, and what that needs to the environment.
void sendThroughHost(std::vector<std::string>& words, std::vector<std::string>& environment);

}  // namespace hs::test
