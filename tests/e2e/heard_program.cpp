#include "heard_program.h"

#include "process.h"
#include "through_host.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <utility>

namespace hs::test {

HeardProgram::HeardProgram(const std::vector<std::string>& arguments,
                           const std::vector<std::string>& variables)
{
    std::array<int, 2> ends = {};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe");
    m_err = ends[0];
    std::vector<std::string> words = {HS_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> environment = {"HOME=/nonexistent", "PATH=/usr/bin:/bin"};
    environment.insert(environment.end(), variables.begin(), variables.end());
    sendThroughHost(words, environment);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    m_process = startProcess(words, environment, &actions);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
}

HeardProgram::~HeardProgram()
{
    if (m_process > 0) {
        send(SIGKILL);
        finish();
    }
    close(m_err);
}

bool HeardProgram::waitFor(const std::string& words)
{
    while (m_said.find(words) == std::string::npos)
        if (!readMore())
            return false;
    return true;
}

void HeardProgram::send(int signal) const
{
    kill(m_process, signal);
}

Outcome HeardProgram::finish()
{
    while (readMore())
        ;
    int status = 0;
    waitpid(std::exchange(m_process, 0), &status, 0);
    return {exitCodeOf(status), {}, m_said};
}

bool HeardProgram::readMore()
{
    std::array<char, 4096> bytes;
    ssize_t count = 0;
    do
        count = read(m_err, bytes.data(), bytes.size());
    while (count < 0 && errno == EINTR);
    if (count <= 0)
        return false;
    m_said.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
}

}  // namespace hs::test
