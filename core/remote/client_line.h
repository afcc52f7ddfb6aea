#pragma once

#include "remote/sessions.h"

#include <functional>
#include <thread>

namespace hs::remote {

/// A daemon's line to one client, with a thread of its own, until either closes it.
class ClientLine {
public:
    /// `log` is called on the line's thread.
    ClientLine(Descriptor socket, Sessions& sessions, const Limits& limits,
               std::function<void(const std::string&)> log);
    ~ClientLine();
    ClientLine(const ClientLine&) = delete;
    ClientLine& operator=(const ClientLine&) = delete;

    bool hasEnded() const { return m_hasEnded; }

private:
    void live();
    void hear(const Message& message);
    void greet(const Message& message);
    void ask(const Message& message);

    const Descriptor m_socket;
    Sessions& m_sessions;
    const Limits m_limits;
    const std::function<void(const std::string&)> m_log;
    const std::shared_ptr<Channel> m_channel;
    std::shared_ptr<Session> m_session;  // none before the first request
    std::string m_token;                 // empty before the greeting
    std::atomic<bool> m_hasEnded = false;
    std::jthread m_thread;  // last: starts when everything else exists
};

}  // namespace hs::remote
