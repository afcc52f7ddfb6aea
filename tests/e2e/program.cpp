#include "program.h"

#include "process.h"
#include "support/bytes_of.h"
#include "support/temp_dir.h"
#include "through_host.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hs::test {

Outcome headscope(const std::vector<std::string>& arguments, const std::vector<std::string>& environment)
{
    std::vector<std::string> words = {HS_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return runProgram(words, environment);
}

Outcome runProgram(const std::vector<std::string>& typed, const std::vector<std::string>& environment)
{
    const TempDir folder;
    const std::string outFile = (folder / "out").string();
    const std::string errFile = (folder / "err").string();
    std::vector<std::string> variables = {"HOME=" + folder.path().string(), "PATH=/usr/bin:/bin"};
    variables.insert(variables.end(), environment.begin(), environment.end());
    std::vector<std::string> words = typed;
    sendThroughHost(words, variables);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outFile.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errFile.c_str(), O_WRONLY | O_CREAT, 0600);
    const pid_t child = startProcess(words, variables, &actions);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    waitpid(child, &status, 0);
    return {exitCodeOf(status), bytesOf(outFile), bytesOf(errFile)};
}

std::filesystem::path golden(const std::string& name)
{
    return std::filesystem::path(HS_SOURCE_DIR) / "tests" / "golden" / "models" / name;
}

}  // namespace hs::test
