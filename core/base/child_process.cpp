#include "base/child_process.h"

#include "base/failure.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace hs {
namespace {

using Handle = std::unique_ptr<FILE, int (*)(FILE*)>;

std::vector<char*> pointersTo(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// This program's environment with some variables set.
std::vector<std::string> environmentWith(const std::vector<std::string>& changes)
{
    std::vector<std::string> all = changes;
    for (char** variable = environ; *variable; ++variable) {
        const std::string name(*variable, std::strcspn(*variable, "=") + 1);
        if (std::ranges::none_of(changes, [&](const std::string& set) { return set.starts_with(name); }))
            all.emplace_back(*variable);
    }
    return all;
}

std::string contentOf(FILE* file)
{
    std::string content;
    if (std::fseek(file, 0, SEEK_SET) != 0)
        return content;
    char bytes[4096];
    while (const std::size_t count = std::fread(bytes, 1, sizeof bytes, file))
        content.append(bytes, count);
    return content;
}

}  // namespace

pid_t startChild(std::vector<std::string> words, const std::vector<std::string>& changes,
                 const ChildHandles& handles, ChildTie tie)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (handles.in < 0)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    else
        posix_spawn_file_actions_adddup2(&actions, handles.in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, handles.out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, handles.err, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // What this program ignores or leaves to a thread of its own is not for its children.
    sigset_t signals;
    sigemptyset(&signals);
    if (tie == ChildTie::DeafToInterrupt)
        sigaddset(&signals, SIGINT);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    const int session = tie == ChildTie::OwnSession ? POSIX_SPAWN_SETSID : 0;
    posix_spawnattr_setflags(&attributes,
                             static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session));
    std::vector<std::string> environment = environmentWith(changes);
    pid_t child = 0;
    const int problem = posix_spawnp(&child, words.front().c_str(), &actions, &attributes,
                                     pointersTo(words).data(), pointersTo(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0)
        fail(ErrorCode::NotFound, words.front() + " cannot be started (" + std::strerror(problem) +
                                      "); check that it is installed and in PATH.");
    return child;
}

int runChild(const std::vector<std::string>& words, const std::vector<std::string>& environment, int out,
             int err, const std::stop_token& stop)
{
    const pid_t child = startChild(words, environment, {-1, out, err});
    {
        const std::stop_callback end(stop, [child] { kill(child, SIGTERM); });
        siginfo_t info = {};
        while (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
            ;
    }  // no stop may reach another process that gets its number
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

ChildOutput outputOf(const std::vector<std::string>& words)
{
    const Handle out(std::tmpfile(), std::fclose);
    const Handle err(std::tmpfile(), std::fclose);
    if (!out || !err)
        fail(ErrorCode::BadFile, "No temporary file can be made; free some space in /tmp.");
    const int code = runChild(words, {}, fileno(out.get()), fileno(err.get()), {});
    return {code, contentOf(out.get()), contentOf(err.get())};
}

std::string programFile()
{
    return std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace hs
