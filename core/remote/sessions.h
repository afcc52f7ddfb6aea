#pragma once

#include "remote/hello.h"
#include "remote/session.h"

#include <atomic>

namespace hs::remote {

/// Every session of a daemon, by its client's token, and the daemon's word to all its threads that it ends.
class Sessions {
public:
    using Clock = Channel::Clock;

    Sessions(MakeHandler makeHandler, Hello hello, const Limits& limits);

    const Hello& hello() const { return m_hello; }

    std::shared_ptr<Session> find(const std::string& token);
    /// Finds or begins one. Throws Failure.
    std::shared_ptr<Session> at(const std::string& token);
    void end(const std::string& token);
    void endAll();
    /// Ends sessions that nobody used since `grace`, lets those rest that nobody used since `rest`. Whether
    /// anything runs.
    bool tidy(Clock::time_point grace, Clock::time_point rest);

    /// What `serve --status` shows.
    Tree status() const;

    void stop();
    bool isStopping() const { return m_isStopping; }

    WakeUp wakeUp;  // when a client has ended or all shall
    std::atomic<int> clients = 0;

private:
    const MakeHandler m_makeHandler;
    const Hello m_hello;
    const Limits m_limits;
    const Clock::time_point m_began = Clock::now();
    std::atomic<bool> m_isStopping = false;
    mutable std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<Session>> m_sessions;
};

}  // namespace hs::remote
