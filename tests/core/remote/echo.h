#pragma once

#include "base/child_process.h"
#include "remote/connection.h"
#include "remote/daemon.h"
#include "remote/proxy.h"
#include "support/temp_dir.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

namespace hs::test {

/// Waits until it holds; false if that takes far too long.
bool waitUntil(const std::function<bool()>& holds);

/// Answers requests by "do":
///   echo   "value"
///   parts  "count" parts of "bytes" bytes that cannot be packed, and then their count
///   until  when the file "file" exists, with progress; what was found is true, or false if it was stopped.
///          Adds a byte to "file" + ".runs" when it begins, and another to "file" + ".ends"
///   fail   "message"
class EchoHandler : public remote::Handler {
public:
    explicit EchoHandler(std::function<void()> onRest = {}) : m_onRest(std::move(onRest)) {}
    remote::Tree answer(const remote::Tree& request, const Hooks& hooks,
                        const std::function<void(remote::Tree)>& onPart) override;
    void rest() override
    {
        if (m_onRest)
            m_onRest();
    }

private:
    std::function<void()> m_onRest;
};

remote::MakeHandler echoes();

/// Limits for impatient tests.
remote::Limits quickLimits();

/// A daemon on a thread of the test, in a folder of its own.
class ThreadDaemon {
public:
    explicit ThreadDaemon(std::function<void(remote::DaemonOptions&)> change = {},
                          remote::MakeHandler makeHandler = echoes());
    ~ThreadDaemon();

    const TempDir& scratch() const { return m_scratch; }
    std::filesystem::path folder() const { return m_scratch / "state"; }
    bool hasEnded() const { return m_hasEnded; }

private:
    TempDir m_scratch;
    std::stop_source m_stop;
    std::atomic<bool> m_hasEnded = false;
    std::jthread m_thread;
};

/// Starts a daemon as a process of its own: this program, with a hidden case.
pid_t startEchoDaemon(const std::filesystem::path& folder);

/// What a relay does to its line.
struct Fate {
    std::size_t bytes = SIZE_MAX;                    // that come from the daemon
    bool isFrozen = false;                           // after them nothing comes; else it is closed
    std::shared_ptr<std::atomic<bool>> freeze = {};  // nothing comes from when it is true
};

/// Lines to a daemon, the n-th with the n-th fate, further ones with the last.
remote::Connection::Dial dialThrough(std::filesystem::path socket, std::vector<Fate> fates = {{}});

/// The size of a file in bytes, 0 if there is none.
std::size_t sizeOf(const std::filesystem::path& file);

}  // namespace hs::test
