#include "remote/sessions.h"

#include <unistd.h>

namespace hs::remote {
namespace {

constexpr std::size_t kMostSessions = 64;

Hello withIdentity(Hello hello)
{
    hello.daemon = randomToken();
    return hello;
}

}  // namespace

Sessions::Sessions(MakeHandler makeHandler, Hello hello, const Limits& limits)
    : m_makeHandler(std::move(makeHandler)), m_hello(withIdentity(std::move(hello))), m_limits(limits)
{
}

std::shared_ptr<Session> Sessions::find(const std::string& token)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_sessions.find(token);
    return found != m_sessions.end() ? found->second : nullptr;
}

std::shared_ptr<Session> Sessions::at(const std::string& token)
{
    if (std::shared_ptr<Session> found = find(token))
        return found;
    auto made = std::make_shared<Session>(m_makeHandler(), m_limits);
    const std::lock_guard lock(m_mutex);
    if (m_sessions.size() >= kMostSessions)
        fail(ErrorCode::TooLarge,
             "The engine there has too many clients; end it with headscope serve --stop.");
    return m_sessions.emplace(token, std::move(made)).first->second;
}

void Sessions::end(const std::string& token)
{
    std::shared_ptr<Session> ended;  // without the lock: it waits for what runs
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_sessions.find(token); found != m_sessions.end()) {
        ended = std::move(found->second);
        m_sessions.erase(found);
    }
}

void Sessions::endAll()
{
    std::map<std::string, std::shared_ptr<Session>> ended;
    const std::lock_guard lock(m_mutex);
    ended.swap(m_sessions);
}

bool Sessions::tidy(Clock::time_point grace, Clock::time_point rest)
{
    std::vector<std::string> old;
    std::vector<std::shared_ptr<Session>> kept;
    bool isBusy = false;
    {
        const std::lock_guard lock(m_mutex);
        for (const auto& [token, session] : m_sessions) {
            const Session::Standing now = session->standing();
            isBusy = isBusy || now.unfinished > 0;
            if (!now.isAttached && now.unfinished == 0 && now.lastUse < grace)
                old.push_back(token);
            else
                kept.push_back(session);
        }
    }
    for (const std::string& token : old)
        end(token);
    for (const std::shared_ptr<Session>& session : kept)
        session->restIfIdleSince(rest);
    return isBusy;
}

Tree Sessions::status() const
{
    const std::lock_guard lock(m_mutex);
    int running = 0;
    std::size_t keptBytes = 0;
    for (const auto& [token, session] : m_sessions) {
        const Session::Standing now = session->standing();
        running += now.unfinished;
        keptBytes += now.keptBytes;
    }
    const std::chrono::duration<double> age = Clock::now() - m_began;
    return {{"pid", getpid()},
            {"version", m_hello.version},
            {"build", m_hello.build},
            {"machine", m_hello.machine},
            {"devices", m_hello.devices},
            {"clients", clients.load()},
            {"sessions", m_sessions.size()},
            {"running", running},
            {"keptBytes", keptBytes},
            {"seconds", age.count()}};
}

void Sessions::stop()
{
    m_isStopping = true;
    wakeUp.wake();
}

}  // namespace hs::remote
