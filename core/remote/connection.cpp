#include "remote/connection.h"

#include "remote/calls.h"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <ctime>
#include <mutex>
#include <thread>

namespace hs::remote {
namespace {

using Clock = Channel::Clock;
using std::chrono::milliseconds;

constexpr milliseconds kLook{1'000};  // how often a connection looks around at least
constexpr milliseconds kFarewell{200};
constexpr int kPatienceWithPeople = 15;  // they may be asked for a password: so many times longer
constexpr double kAsleep = 2;            // seconds that the clocks may differ without a sleep

double secondsSlept()
{
    timespec all = {}, awake = {};
    clock_gettime(CLOCK_BOOTTIME, &all);
    clock_gettime(CLOCK_MONOTONIC, &awake);
    return static_cast<double>(all.tv_sec - awake.tv_sec) +
           1e-9 * static_cast<double>(all.tv_nsec - awake.tv_nsec);
}

std::int64_t stampOf(Clock::time_point time)
{
    return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

/// For sentences: "15 s".
std::string secondsOf(milliseconds time)
{
    return std::to_string((time.count() + 999) / 1'000) + " s";
}

/// An error for which trying again is no use.
class Refusal : public Failure {
public:
    using Failure::Failure;
};

}  // namespace

Connection::Connection(Dial dial, std::function<void(const State&)> changed, const Limits& limits)
    : m_dial(std::move(dial)), m_changed(std::move(changed)), m_limits(limits),
      m_slept(limits.slept ? limits.slept : secondsSlept), m_calls(limits),
      m_thread([this](const std::stop_token& stop) { live(stop); })
{
}

Connection::~Connection()
{
    m_thread.request_stop();
    wake();
    m_thread.join();
}

void Connection::live(const std::stop_token& stop)
{
    sigset_t pipes;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipes, nullptr);
    milliseconds delay{0};
    while (!stop.stop_requested()) {
        Error why;
        bool isRefused = false;
        try {
            const std::unique_ptr<Line> line = m_dial();
            if (!m_wasConnected)
                set(State::Kind::Connecting, "Connecting to " + line->host() + " …");
            talk(*line, stop);
        } catch (const Refusal& refused) {
            why = refused.error();
            isRefused = true;
        } catch (...) {
            why = currentError();
        }
        if (hangUp())
            delay = milliseconds(0);
        if (stop.stop_requested())
            break;
        rest(isRefused || !m_wasConnected ? State::Kind::Refused : State::Kind::Lost, why, delay, stop);
        delay = delay.count() == 0 ? m_limits.firstRetry : std::min(2 * delay, m_limits.lastRetry);
    }
    m_calls.refuse(Error{ErrorCode::Cancelled, "Cancelled.", {}});
}

/// Forgets the line; whether it had worked for a while.
bool Connection::hangUp()
{
    m_calls.disconnect();
    const std::lock_guard lock(m_mutex);
    if (m_channel) {
        m_state.bytesReceived += m_channel->received();
        m_state.bytesSent += m_channel->sent();
    }
    m_channel = nullptr;
    return m_state.kind == State::Kind::Connected && Clock::now() - m_connectedSince > m_limits.active;
}

/// Uses a line until it ends, and throws why it did.
void Connection::talk(Line& line, const std::stop_token& stop)
{
    const auto open = std::make_shared<Channel>(line.in(), line.out(), End::Client, m_limits);
    {
        const std::lock_guard lock(m_mutex);
        m_channel = open;
    }
    const Hello theirs = greeting(*open, line, stop);
    if (stop.stop_requested())
        return;
    try {
        requireSameProtocol(theirs, line.host());
    } catch (const Failure& failure) {
        throw Refusal(failure.error());
    }
    Hello ours = Hello::ours();
    ours.session = m_session;
    m_calls.connect(open, ours);
    m_wasConnected = true;
    {
        const std::lock_guard lock(m_mutex);
        m_state.peer = theirs;
        m_nextBeat = m_connectedSince = Clock::now();
    }
    set(State::Kind::Connected, "Connected to " + line.host() + ".");
    listen(*open, line, stop);
    open->send(Kind::Release, 0, nullptr);
    open->flush(kFarewell);
}

/// What the other end says first.
Hello Connection::greeting(Channel& open, Line& line, const std::stop_token& stop)
{
    const milliseconds patience = m_limits.word * (line.mayAsk() ? kPatienceWithPeople : 1);
    const Clock::time_point lastMoment = Clock::now() + patience;
    const auto heard = [&] { return open.hasWord() ? std::string() : open.heard(); };
    std::optional<Hello> hello;
    const auto take = [&](Message&& message) {
        if (message.kind != Kind::Hello)
            fail(ErrorCode::BadFile,
                 line.host() + " did not greet first; update HeadScope on both machines.");
        hello = helloFrom(message.tree);
    };
    while (!hello && !stop.stop_requested()) {
        line.attend();
        try {
            if (!open.step(std::min(kLook / 10, patience), take) && !hello)
                throw Failure(line.ending(heard()));
        } catch (const Failure&) {
            if (heard().size() >= m_limits.noise)
                fail(ErrorCode::BadFile, answeredInstead(line.host(), heard()), heard());
            throw;
        }
        if (hello || Clock::now() < lastMoment)
            continue;
        if (!heard().empty())
            fail(ErrorCode::BadFile, answeredInstead(line.host(), heard()), heard());
        fail(ErrorCode::NotFound, line.host() + " did not answer within " + secondsOf(patience) +
                                      "; check that it is on, and the network.");
    }
    return hello.value_or(Hello());
}

void Connection::listen(Channel& open, Line& line, const std::stop_token& stop)
{
    const double sleptBefore = m_slept();
    while (!stop.stop_requested()) {
        const auto untilBeat = std::chrono::ceil<milliseconds>(beat(open) - Clock::now());
        line.attend();
        const milliseconds wait =
            std::clamp(untilBeat, milliseconds(0), std::min(kLook, m_limits.silence / 4));
        const bool isOpen = open.step(wait, [this](Message&& message) { hear(std::move(message)); });
        m_calls.receive(open.takeDataBytes());
        if (!isOpen && !stop.stop_requested())
            throw Failure(line.ending({}));
        if (m_slept() - sleptBefore > kAsleep)
            fail(ErrorCode::NotFound, "This computer was asleep; the line is opened again.");
        if (Clock::now() - open.lastHeard() > m_limits.silence)
            fail(ErrorCode::NotFound, line.host() + " has not answered for " + secondsOf(m_limits.silence) +
                                          "; check the network.");
    }
}

void Connection::hear(Message&& message)
{
    if (message.kind == Kind::Failed && message.request == 0)
        throw Refusal(errorFrom(message.tree));
    if (message.kind == Kind::Hello)
        fail(ErrorCode::BadFile, "The other machine greeted twice; update HeadScope on both machines.");
    if (message.kind != Kind::Beat)
        return m_calls.take(std::move(message));
    const double stamp = reader(message.tree).number();
    const std::lock_guard lock(m_mutex);
    m_state.roundTripMs = std::max(0.0, (static_cast<double>(stampOf(Clock::now())) - stamp) / 1'000);
}

/// Beats keep the line open on its whole way, and tell when it is not. Returns when the next one is due.
Connection::Clock::time_point Connection::beat(Channel& open)
{
    const Clock::time_point now = Clock::now();
    const std::lock_guard lock(m_mutex);
    if (now >= m_nextBeat) {
        open.send(Kind::Beat, 0, stampOf(now));
        m_nextBeat = now + (now < m_activeUntil ? m_limits.busyBeat : m_limits.idleBeat);
    }
    return m_nextBeat;
}

/// Waits after an end.
void Connection::rest(State::Kind kind, const Error& why, milliseconds delay, const std::stop_token& stop)
{
    const bool isRefused = kind == State::Kind::Refused;
    const Clock::time_point nextTry = isRefused ? Clock::time_point::max() : Clock::now() + delay;
    const double sleptBefore = m_slept();
    if (isRefused) {
        m_calls.refuse(why);
        const std::lock_guard lock(m_mutex);
        m_refusal = why;
    }
    set(kind, why.message, nextTry);
    std::unique_lock lock(m_mutex);
    while (!stop.stop_requested() && !m_wantsRetry && Clock::now() < nextTry &&
           m_slept() - sleptBefore <= kAsleep)
        m_news.wait_until(lock, std::min(nextTry, Clock::now() + kLook));
    m_wantsRetry = false;
    lock.unlock();
    if (isRefused && !stop.stop_requested())
        m_calls.refuse({});
}

void Connection::set(State::Kind kind, std::string text, Clock::time_point nextTry)
{
    State now;
    {
        const std::lock_guard lock(m_mutex);
        m_state.kind = kind;
        m_state.text = std::move(text);
        m_state.nextTry = nextTry;
        now = m_state;
    }
    m_news.notify_all();
    if (m_changed)
        m_changed(now);
}

void Connection::wake()
{
    const std::lock_guard lock(m_mutex);
    if (m_channel)
        m_channel->wake();
    m_news.notify_all();
}

Result<Tree> Connection::call(const Tree& request, const Hooks& hooks,
                              const std::function<void(Tree)>& onPart)
{
    nudge();
    return m_calls.call(request, hooks, onPart);
}

Connection::State Connection::state() const
{
    const std::lock_guard lock(m_mutex);
    State state = m_state;
    if (m_channel) {
        state.bytesReceived += m_channel->received();
        state.bytesSent += m_channel->sent();
        state.heard = m_channel->lastHeard();
    }
    return state;
}

void Connection::retryNow()
{
    {
        const std::lock_guard lock(m_mutex);
        m_wantsRetry = m_state.kind == State::Kind::Lost || m_state.kind == State::Kind::Refused;
    }
    m_news.notify_all();
}

void Connection::nudge()
{
    const Clock::time_point now = Clock::now();
    bool wasIdle = false;
    {
        const std::lock_guard lock(m_mutex);
        wasIdle = m_activeUntil < now;
        m_activeUntil = now + m_limits.active;
        if (wasIdle)
            m_nextBeat = now;
    }
    if (wasIdle)
        wake();
}

Result<Hello> Connection::connect(milliseconds patience)
{
    std::unique_lock lock(m_mutex);
    const State& state = m_state;
    m_news.wait_for(lock, patience, [&] {
        return state.kind == State::Kind::Connected || state.kind == State::Kind::Refused;
    });
    if (state.kind == State::Kind::Connected)
        return state.peer;
    if (state.kind == State::Kind::Refused)
        return m_refusal;
    return Error{ErrorCode::NotFound,
                 (state.text.empty() ? "Nothing has answered" : state.text + " It has not answered") +
                     " within " + secondsOf(patience) + "; check the network.",
                 {}};
}

}  // namespace hs::remote
