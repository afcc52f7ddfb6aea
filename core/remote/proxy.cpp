#include "remote/proxy.h"

#include "base/child_process.h"
#include "base/failure.h"
#include "remote/connection.h"
#include "remote/daemon.h"
#include "remote/state_folder.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <thread>

namespace hs::remote {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kStartPatience{10'000};
constexpr milliseconds kAskPatience{10'000};

Descriptor waitForDaemon(const std::filesystem::path& folder, const std::function<pid_t()>& start)
{
    makePrivateFolder(folder);
    Descriptor socket = connectTo(socketIn(folder));
    if (socket)
        return socket;
    const pid_t child = start();
    for (const Clock::time_point lastMoment = Clock::now() + kStartPatience;;) {
        socket = connectTo(socketIn(folder));
        if (socket)
            return socket;
        int status = 0;  // 0 as well if another daemon was faster
        const bool hasFailed = waitpid(child, &status, WNOHANG) == child && status != 0;
        if (hasFailed || Clock::now() > lastMoment)
            fail(ErrorCode::NotFound, "The engine did not start; its log " + logIn(folder).string() +
                                          " ends with: " + lastOfLog(folder));
        std::this_thread::sleep_for(milliseconds(20));
    }
}

/// Bytes on their way in one direction.
struct Stream {
    int from, to;
    bool hasEnded = false;
    std::string bytes = {};

    bool canRead() const { return !hasEnded && bytes.empty(); }
    void move(short readable)
    {
        std::array<char, 64 << 10> buffer;
        if (readable != 0 && canRead()) {
            const ssize_t count = read(from, buffer.data(), buffer.size());
            hasEnded = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
            bytes.assign(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        }
        while (!bytes.empty()) {
            const ssize_t count = write(to, bytes.data(), bytes.size());
            if (count < 0 && (errno == EAGAIN || errno == EINTR))
                return;
            hasEnded = hasEnded || count < 0;
            bytes.erase(0, count < 0 ? bytes.size() : static_cast<std::size_t>(count));
        }
    }
};

void copyBothWays(int in, int out, int socket)
{
    for (const int handle : {in, out, socket})
        fcntl(handle, F_SETFL, fcntl(handle, F_GETFL) | O_NONBLOCK);
    Stream there{in, socket}, back{socket, out};
    while (!(there.hasEnded && there.bytes.empty()) && !(back.hasEnded && back.bytes.empty())) {
        std::array<pollfd, 4> handles = {pollfd{there.canRead() ? in : -1, POLLIN, 0},
                                         pollfd{back.canRead() ? socket : -1, POLLIN, 0},
                                         pollfd{there.bytes.empty() ? -1 : socket, POLLOUT, 0},
                                         pollfd{back.bytes.empty() ? -1 : out, POLLOUT, 0}};
        poll(handles.data(), handles.size(), -1);
        there.move(handles[0].revents);
        back.move(handles[1].revents);
    }
}

Result<Tree> askDaemon(const std::filesystem::path& folder, const char* verb)
{
    Connection connection([&] { return openSocketLine(socketIn(folder)); });
    if (const Result<Hello> hello = connection.connect(kAskPatience); !hello)
        return hello.error();
    return connection.call({{"daemon", verb}});
}

}  // namespace

pid_t startDaemon(const std::filesystem::path& folder, const std::vector<std::string>& words)
{
    makePrivateFolder(folder);
    const Descriptor log(
        open(logIn(folder).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!log)
        fail(ErrorCode::BadFile, logIn(folder).string() + " cannot be written; free some space there.");
    return startChild(words, {}, {-1, log.number(), log.number()}, ChildTie::OwnSession);
}

int serveStdio(const std::filesystem::path& folder, const std::function<pid_t()>& start, int in, int out)
{
    std::signal(SIGPIPE, SIG_IGN);
    copyBothWays(in, out, waitForDaemon(folder, start).number());
    return 0;
}

Result<Tree> daemonStatus(const std::filesystem::path& folder)
{
    return askDaemon(folder, "status");
}

Result<Tree> stopDaemon(const std::filesystem::path& folder)
{
    const Result<Tree> status = askDaemon(folder, "stop");
    const Clock::time_point lastMoment = Clock::now() + kAskPatience;
    while (status && Clock::now() < lastMoment) {
        if (const Result<bool> isEnded = guarded([&] { return bool(lockFolder(folder)); });
            isEnded && *isEnded)
            return status;
        std::this_thread::sleep_for(milliseconds(20));
    }
    if (!status)
        return status;
    return Error{
        ErrorCode::Internal, "The engine has not ended yet; look again with headscope serve --status.", {}};
}

}  // namespace hs::remote
