#include "process.h"

#include <sys/wait.h>

#include <cstdlib>
#include <stdexcept>

namespace hs::test {
namespace {

std::vector<char*> pointersTo(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

pid_t startProcess(std::vector<std::string> words, std::vector<std::string> environment,
                   const posix_spawn_file_actions_t* actions)
{
    // Last, so that the caller's own come first.
    for (const std::string name : {"ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "OMP_WAIT_POLICY"})
        if (const char* const options = std::getenv(name.c_str()))
            environment.push_back(name + "=" + options);
    pid_t child = 0;
    if (posix_spawnp(&child, words.front().c_str(), actions, nullptr, pointersTo(words).data(),
                     pointersTo(environment).data()) != 0)
        throw std::runtime_error("cannot start " + words.front());
    return child;
}

int exitCodeOf(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace hs::test
