#include "remote/daemon.h"

#include "remote/client_line.h"
#include "remote/sessions.h"
#include "remote/state_folder.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <list>
#include <thread>

namespace hs::remote {
namespace {

using Clock = Channel::Clock;
using std::chrono::milliseconds;

constexpr std::size_t kMostClients = 64;
constexpr milliseconds kLockPatience{5'000};

/// Handles SIGTERM and SIGINT, which no thread of this program gets any more.
int endSignals()
{
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGHUP, SIG_IGN);
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);
    return signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// Listens, and sees to it that what nobody needs ends.
class Daemon {
public:
    Daemon(const DaemonOptions& options, const MakeHandler& makeHandler, Descriptor lock)
        : m_options(options), m_lock(std::move(lock)), m_lockFile(fileAt(lockIn(options.folder))),
          m_signals(endSignals()), m_sessions(makeHandler, options.hello, options.limits)
    {
    }

    void serve();

private:
    void bindSocket();
    void accept();
    bool isWanted();
    void lookForSocket();
    void log(const std::string& line) const { writeLog(m_options.folder, line); }

    const DaemonOptions m_options;
    const Descriptor m_lock;
    const std::optional<FileId> m_lockFile;
    const Descriptor m_signals;
    Descriptor m_listener;
    std::optional<FileId> m_socketFile;
    bool m_isOrphan = false;  // somebody removed the folder, so another daemon may be in its place
    Clock::time_point m_lastLook = Clock::now();
    Clock::time_point m_lastUse = Clock::now();
    Sessions m_sessions;
    std::list<ClientLine> m_clients;
};

void Daemon::serve()
{
    bindSocket();
    log("HeadScope " + m_options.hello.version + " listens, process " + std::to_string(getpid()));
    const std::stop_callback wake(m_options.stop, [this] { m_sessions.stop(); });
    const milliseconds tick =
        std::max(milliseconds(1), std::min({m_options.look, m_options.grace / 8, m_options.rest / 8}));
    while (isWanted()) {
        std::array<pollfd, 3> handles = {pollfd{m_listener.number(), POLLIN, 0},
                                         pollfd{m_signals.number(), POLLIN, 0},
                                         pollfd{m_sessions.wakeUp.handle(), POLLIN, 0}};
        poll(handles.data(), handles.size(), static_cast<int>(tick.count()));
        m_sessions.wakeUp.heard();
        if (handles[1].revents != 0)
            break;
        if (handles[0].revents != 0)
            accept();
        lookForSocket();
        trimLog(m_options.folder);
    }
    log("ends");
    if (fileAt(socketIn(m_options.folder)) == m_socketFile)
        unlink(socketIn(m_options.folder).c_str());
    m_sessions.stop();
    m_clients.clear();
    m_sessions.endAll();
}

void Daemon::bindSocket()
{
    m_listener = listenAt(socketIn(m_options.folder));
    m_socketFile = fileAt(socketIn(m_options.folder));
}

void Daemon::accept()
{
    Descriptor socket(accept4(m_listener.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket)
        return;
    if (!isOwnPeer(socket.number()))
        return log("turned away somebody else");
    if (m_clients.size() >= kMostClients)
        return log("turned away a client: there are too many");
    m_clients.emplace_back(std::move(socket), m_sessions, m_options.limits,
                           [this](const std::string& line) { log(line); });
}

/// Ends what has been alone for too long; false if that is the daemon itself.
bool Daemon::isWanted()
{
    m_clients.remove_if([](const ClientLine& client) { return client.hasEnded(); });
    const Clock::time_point now = Clock::now();
    const bool isBusy = m_sessions.tidy(now - m_options.grace, now - m_options.rest);
    if (isBusy || !m_clients.empty())
        m_lastUse = now;
    return !m_sessions.isStopping() && now - m_lastUse < (m_isOrphan ? milliseconds(1) : m_options.grace);
}

/// Listens again if a cleaner of old files took the socket.
void Daemon::lookForSocket()
{
    const Clock::time_point now = Clock::now();
    if (now - m_lastLook < m_options.look || m_isOrphan)
        return;
    m_lastLook = now;
    if (fileAt(lockIn(m_options.folder)) != m_lockFile) {
        m_isOrphan = true;
        return;
    }
    if (fileAt(socketIn(m_options.folder)) == m_socketFile)
        return;
    log("the socket is gone; listens again");
    try {
        bindSocket();
    } catch (const Failure& failure) {
        log(failure.error().message);  // and looks again later
    }
}

}  // namespace

int runDaemon(const DaemonOptions& options, const MakeHandler& makeHandler)
{
    makePrivateFolder(options.folder);
    const Clock::time_point lastMoment = Clock::now() + kLockPatience;
    Descriptor lock = lockFolder(options.folder);
    while (!lock) {  // the one that has it may be about to end
        if (connectTo(socketIn(options.folder)))
            return 0;
        if (Clock::now() > lastMoment)
            fail(ErrorCode::BadFile, "Another engine of yours holds " + options.folder.string() +
                                         " and does not answer; end it with headscope serve --stop.");
        std::this_thread::sleep_for(milliseconds(20));
        lock = lockFolder(options.folder);
    }
    Daemon(options, makeHandler, std::move(lock)).serve();
    return 0;
}

}  // namespace hs::remote
