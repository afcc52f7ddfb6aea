#pragma once

#include "remote/calls.h"
#include "remote/line.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

namespace hs::remote {

/// A line to the engine on another machine. Calls survive a lost line: they are asked again and go on where they
/// were. Any thread may use it, several at once.
class Connection {
public:
    using Clock = std::chrono::steady_clock;
    /// Opens the way there, on the connection's own thread, again after each loss; throws Failure.
    using Dial = std::function<std::unique_ptr<Line>()>;

    struct State {
        enum class Kind {
            Connecting,  // for the first time
            Connected,
            Lost,     // tries again by itself
            Refused,  // does not, unless told to by `retryNow`; calls fail
        };
        Kind kind = Kind::Connecting;
        std::string text;        // one sentence for people
        Hello peer;              // as of the last time it was connected
        double roundTripMs = 0;  // of the last beat
        std::uint64_t bytesReceived = 0;
        std::uint64_t bytesSent = 0;
        Clock::time_point nextTry;  // while lost
        Clock::time_point heard;    // the last byte, while connected
    };

    /// `changed` is called on the connection's own thread, for changes of `kind`, `text` and `nextTry`. It may
    /// not call or destroy the connection.
    explicit Connection(Dial dial, std::function<void(const State&)> changed = {}, const Limits& limits = {});
    /// Tells the other machine that nothing is wanted any more. Calls under way end as cancelled; none may
    /// begin.
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Sends a request and waits for its answer. Of the request, "slot" (a number), "patient", "cancels" and
    /// "own" (true or false) say how it is queued there: see Handler.
    /// On the calling thread, and without a lock: `hooks` gets progress, the last numbers again every 20 ms so
    /// that a patient job can give way, and `onPart` the parts, each once and in order. If the other machine
    /// began anew, the request runs anew there, and as many parts as were delivered are left out.
    /// `hooks.stop` cancels it there and waits at most 2 s for an answer, which may be what was found so far.
    Result<Tree> call(const Tree& request, const Hooks& hooks = {},
                      const std::function<void(Tree)>& onPart = {});

    State state() const;
    /// Tries at once, if it is lost or refused.
    void retryNow();
    /// The user does something: keeps the line awake for the next seconds, so that the next answer comes fast.
    void nudge();
    /// Waits until it is connected or refused, at most so long.
    Result<Hello> connect(std::chrono::milliseconds patience);

private:
    void live(const std::stop_token& stop);
    void talk(Line& line, const std::stop_token& stop);
    bool hangUp();
    Hello greeting(Channel& open, Line& line, const std::stop_token& stop);
    void listen(Channel& open, Line& line, const std::stop_token& stop);
    void hear(Message&& message);
    Clock::time_point beat(Channel& open);
    void rest(State::Kind kind, const Error& why, std::chrono::milliseconds delay,
              const std::stop_token& stop);
    void set(State::Kind kind, std::string text, Clock::time_point nextTry = {});
    void wake();

    const Dial m_dial;
    const std::function<void(const State&)> m_changed;
    const Limits m_limits;
    const std::function<double()> m_slept;
    const std::string m_session = randomToken();
    Calls m_calls;

    mutable std::mutex m_mutex;  // of what follows
    std::condition_variable m_news;
    State m_state;
    std::shared_ptr<Channel> m_channel;  // while there is a line
    bool m_wantsRetry = false;
    Clock::time_point m_activeUntil;
    Clock::time_point m_nextBeat;
    Clock::time_point m_connectedSince;
    Error m_refusal;

    bool m_wasConnected = false;  // the thread's own
    std::jthread m_thread;        // last: starts when everything else exists
};

}  // namespace hs::remote
