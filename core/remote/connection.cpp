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

/// What the connection's thread and the others share.
struct Connection::Body {
    using Kind = State::Kind;

    Body(Dial dialOne, std::function<void(const State&)> onChange, const Limits& given)
        : dial(std::move(dialOne)), changed(std::move(onChange)), limits(given),
          slept(given.slept ? given.slept : secondsSlept), calls(given),
          thread([this](const std::stop_token& stop) { live(stop); })
    {
    }
    ~Body()
    {
        thread.request_stop();
        wake();
        thread.join();
    }

    void live(const std::stop_token& stop);
    void talk(Line& line, const std::stop_token& stop);
    bool hangUp();
    Hello greeting(Channel& open, Line& line, const std::stop_token& stop);
    void listen(Channel& open, Line& line, const std::stop_token& stop);
    void hear(Message&& message);
    Clock::time_point beat(Channel& open);
    void rest(Kind kind, const Error& why, milliseconds delay, const std::stop_token& stop);
    void set(Kind kind, std::string text, Clock::time_point nextTry = {});
    void wake();

    const Dial dial;
    const std::function<void(const State&)> changed;
    const Limits limits;
    const std::function<double()> slept;
    const std::string session = randomToken();
    Calls calls;

    std::mutex mutex;  // of what follows
    std::condition_variable news;
    State state;
    std::shared_ptr<Channel> channel;  // while there is a line
    bool wantsRetry = false;
    Clock::time_point activeUntil;
    Clock::time_point nextBeat;
    Clock::time_point connectedSince;
    Error refusal;

    bool wasConnected = false;  // the thread's own
    std::jthread thread;        // last: starts when everything else exists
};

void Connection::Body::live(const std::stop_token& stop)
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
            const std::unique_ptr<Line> line = dial();
            if (!wasConnected)
                set(Kind::Connecting, "Connecting to " + line->host() + " …");
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
        rest(isRefused || !wasConnected ? Kind::Refused : Kind::Lost, why, delay, stop);
        delay = delay.count() == 0 ? limits.firstRetry : std::min(2 * delay, limits.lastRetry);
    }
    calls.refuse(Error{ErrorCode::Cancelled, "Cancelled.", {}});
}

/// Forgets the line; whether it had worked for a while.
bool Connection::Body::hangUp()
{
    calls.disconnect();
    const std::lock_guard lock(mutex);
    if (channel) {
        state.bytesReceived += channel->received();
        state.bytesSent += channel->sent();
    }
    channel = nullptr;
    return state.kind == Kind::Connected && Clock::now() - connectedSince > limits.active;
}

/// Uses a line until it ends, and throws why it did.
void Connection::Body::talk(Line& line, const std::stop_token& stop)
{
    const auto open = std::make_shared<Channel>(line.in(), line.out(), End::Client, limits);
    {
        const std::lock_guard lock(mutex);
        channel = open;
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
    ours.session = session;
    calls.connect(open, ours);
    wasConnected = true;
    {
        const std::lock_guard lock(mutex);
        state.peer = theirs;
        nextBeat = connectedSince = Clock::now();
    }
    set(Kind::Connected, "Connected to " + line.host() + ".");
    listen(*open, line, stop);
    open->send(remote::Kind::Release, 0, nullptr);
    open->flush(kFarewell);
}

/// What the other end says first.
Hello Connection::Body::greeting(Channel& open, Line& line, const std::stop_token& stop)
{
    const milliseconds patience = limits.word * (line.mayAsk() ? kPatienceWithPeople : 1);
    const Clock::time_point lastMoment = Clock::now() + patience;
    const auto heard = [&] { return open.hasWord() ? std::string() : open.heard(); };
    std::optional<Hello> hello;
    const auto take = [&](Message&& message) {
        if (message.kind != remote::Kind::Hello)
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
            if (heard().size() >= limits.noise)
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

void Connection::Body::listen(Channel& open, Line& line, const std::stop_token& stop)
{
    const double sleptBefore = slept();
    while (!stop.stop_requested()) {
        const auto untilBeat = std::chrono::ceil<milliseconds>(beat(open) - Clock::now());
        line.attend();
        const milliseconds wait = std::clamp(untilBeat, milliseconds(0), std::min(kLook, limits.silence / 4));
        const bool isOpen = open.step(wait, [this](Message&& message) { hear(std::move(message)); });
        calls.receive(open.takeDataBytes());
        if (!isOpen && !stop.stop_requested())
            throw Failure(line.ending({}));
        if (slept() - sleptBefore > kAsleep)
            fail(ErrorCode::NotFound, "This computer was asleep; the line is opened again.");
        if (Clock::now() - open.lastHeard() > limits.silence)
            fail(ErrorCode::NotFound,
                 line.host() + " has not answered for " + secondsOf(limits.silence) + "; check the network.");
    }
}

void Connection::Body::hear(Message&& message)
{
    if (message.kind == remote::Kind::Failed && message.request == 0)
        throw Refusal(errorFrom(message.tree));
    if (message.kind == remote::Kind::Hello)
        fail(ErrorCode::BadFile, "The other machine greeted twice; update HeadScope on both machines.");
    if (message.kind != remote::Kind::Beat)
        return calls.take(std::move(message));
    const double stamp = reader(message.tree).number();
    const std::lock_guard lock(mutex);
    state.roundTripMs = std::max(0.0, (static_cast<double>(stampOf(Clock::now())) - stamp) / 1'000);
}

/// Beats keep the line open on its whole way, and tell when it is not. Returns when the next one is due.
Clock::time_point Connection::Body::beat(Channel& open)
{
    const Clock::time_point now = Clock::now();
    const std::lock_guard lock(mutex);
    if (now >= nextBeat) {
        open.send(remote::Kind::Beat, 0, stampOf(now));
        nextBeat = now + (now < activeUntil ? limits.busyBeat : limits.idleBeat);
    }
    return nextBeat;
}

/// Waits after an end.
void Connection::Body::rest(Kind kind, const Error& why, milliseconds delay, const std::stop_token& stop)
{
    const bool isRefused = kind == Kind::Refused;
    const Clock::time_point nextTry = isRefused ? Clock::time_point::max() : Clock::now() + delay;
    const double sleptBefore = slept();
    if (isRefused) {
        calls.refuse(why);
        const std::lock_guard lock(mutex);
        refusal = why;
    }
    set(kind, why.message, nextTry);
    std::unique_lock lock(mutex);
    while (!stop.stop_requested() && !wantsRetry && Clock::now() < nextTry &&
           slept() - sleptBefore <= kAsleep)
        news.wait_until(lock, std::min(nextTry, Clock::now() + kLook));
    wantsRetry = false;
    lock.unlock();
    if (isRefused && !stop.stop_requested())
        calls.refuse({});
}

void Connection::Body::set(Kind kind, std::string text, Clock::time_point nextTry)
{
    State now;
    {
        const std::lock_guard lock(mutex);
        state.kind = kind;
        state.text = std::move(text);
        state.nextTry = nextTry;
        now = state;
    }
    news.notify_all();
    if (changed)
        changed(now);
}

void Connection::Body::wake()
{
    const std::lock_guard lock(mutex);
    if (channel)
        channel->wake();
    news.notify_all();
}

Connection::Connection(Dial dial, std::function<void(const State&)> changed, const Limits& limits)
    : m_body(std::make_unique<Body>(std::move(dial), std::move(changed), limits))
{
}

Connection::~Connection() = default;

Result<Tree> Connection::call(const Tree& request, const Hooks& hooks,
                              const std::function<void(Tree)>& onPart)
{
    nudge();
    return m_body->calls.call(request, hooks, onPart);
}

Connection::State Connection::state() const
{
    const std::lock_guard lock(m_body->mutex);
    State state = m_body->state;
    if (m_body->channel) {
        state.bytesReceived += m_body->channel->received();
        state.bytesSent += m_body->channel->sent();
        state.heard = m_body->channel->lastHeard();
    }
    return state;
}

void Connection::retryNow()
{
    {
        const std::lock_guard lock(m_body->mutex);
        m_body->wantsRetry =
            m_body->state.kind == State::Kind::Lost || m_body->state.kind == State::Kind::Refused;
    }
    m_body->news.notify_all();
}

void Connection::nudge()
{
    const Clock::time_point now = Clock::now();
    bool wasIdle = false;
    {
        const std::lock_guard lock(m_body->mutex);
        wasIdle = m_body->activeUntil < now;
        m_body->activeUntil = now + m_body->limits.active;
        if (wasIdle)
            m_body->nextBeat = now;
    }
    if (wasIdle)
        m_body->wake();
}

Result<Hello> Connection::connect(milliseconds patience)
{
    std::unique_lock lock(m_body->mutex);
    const State& state = m_body->state;
    m_body->news.wait_for(lock, patience, [&] {
        return state.kind == State::Kind::Connected || state.kind == State::Kind::Refused;
    });
    if (state.kind == State::Kind::Connected)
        return state.peer;
    if (state.kind == State::Kind::Refused)
        return m_body->refusal;
    return Error{ErrorCode::NotFound,
                 (state.text.empty() ? "Nothing has answered" : state.text + " It has not answered") +
                     " within " + secondsOf(patience) + "; check the network.",
                 {}};
}

}  // namespace hs::remote
