#include "remote/client_line.h"

namespace hs::remote {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kStep{500};
constexpr milliseconds kLastWords{1'000};
constexpr int kMissedSilences = 4;  // a client that is silent for so many times its own limit has gone

}  // namespace

ClientLine::ClientLine(Descriptor socket, Sessions& sessions, const Limits& limits,
                       std::function<void(const std::string&)> log)
    : m_socket(std::move(socket)), m_sessions(sessions), m_limits(limits), m_log(std::move(log)),
      m_channel(std::make_shared<Channel>(m_socket.number(), m_socket.number(), End::Daemon, limits)),
      m_thread([this] { live(); })
{
}

ClientLine::~ClientLine()
{
    m_channel->close();
    m_thread.join();
}

void ClientLine::live()
{
    ++m_sessions.clients;
    try {
        m_channel->send(Kind::Hello, 0, toTree(m_sessions.hello()));
        while (m_channel->step(kStep, [this](const Message& message) { hear(message); }))
            if (Channel::Clock::now() - m_channel->lastHeard() > kMissedSilences * m_limits.silence)
                fail(ErrorCode::NotFound, "A client went silent.");
    } catch (...) {
        m_log(currentError().message);
    }
    m_channel->flush(kLastWords);
    if (m_session)
        m_session->detach(m_channel.get());
    m_session = nullptr;
    --m_sessions.clients;
    m_hasEnded = true;
    m_sessions.wakeUp.wake();
}

void ClientLine::hear(const Message& message)
{
    if (message.kind == Kind::Beat)
        return m_channel->send(Kind::Beat, 0, reader(message.tree).number());
    if (message.kind == Kind::Hello)
        return greet(message);
    if (m_token.empty())
        fail(ErrorCode::BadFile, "A client did not greet first.");
    if (message.kind == Kind::Request)
        return ask(message);
    if (message.kind == Kind::Release && message.request == 0) {  // it needs nothing any more
        m_session = nullptr;
        m_sessions.end(m_token);
        m_channel->close();
    } else if (m_session) {
        m_session->take(message);
    }
}

void ClientLine::greet(const Message& message)
{
    const Hello hello = helloFrom(message.tree);
    try {
        requireSameProtocol(hello, hello.machine);
    } catch (const Failure& failure) {
        m_channel->send(Kind::Failed, 0, toTree(failure.error()));
        throw;
    }
    if (!m_token.empty() || hello.session.size() < 16)
        fail(ErrorCode::BadFile, "A client greeted twice, or without a name.");
    m_token = hello.session;
    m_session = m_sessions.find(m_token);
    if (m_session)
        m_session->attach(m_channel, hello.asked);
}

void ClientLine::ask(const Message& message)
{
    const JsonReader request = reader(message.tree, "A request")[1];
    const std::string verb = request.json().is_object() ? request["daemon"].text("") : "";
    if (verb == "status" || verb == "stop") {
        m_channel->send(Kind::Done, message.request, m_sessions.status());
        if (verb == "stop")
            m_sessions.stop();
        return;
    }
    try {
        if (!m_session) {
            m_session = m_sessions.at(m_token);
            m_session->attach(m_channel, {});
        }
    } catch (...) {
        return m_channel->send(Kind::Failed, message.request, toTree(currentError()));
    }
    m_session->take(message);
}

}  // namespace hs::remote
