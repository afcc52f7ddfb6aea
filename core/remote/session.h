#pragma once

#include "base/work_queue.h"
#include "remote/channel.h"
#include "remote/handler.h"

#include <condition_variable>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <span>
#include <thread>

namespace hs::remote {

/// A client's work on the daemon, which outlives its lines: requests that wait and run, and answers that were
/// not fetched yet. Any thread may use it.
class Session {
public:
    using Clock = Channel::Clock;

    Session(std::unique_ptr<Handler> handler, const Limits& limits);
    /// Stops what runs, and waits for it.
    ~Session();

    /// A client has come over this line, in place of an earlier one; what it did not ask for is let go.
    void attach(std::shared_ptr<Channel> channel, std::span<const std::int64_t> asked);
    void detach(const Channel* channel);
    /// A request, or a word about one. Throws Failure if it breaks a rule.
    void take(const Message& message);

    /// Gives back what is dear, if nobody was here since `moment` and it was not done already.
    void restIfIdleSince(Clock::time_point moment);

    struct Standing {
        bool isAttached = false;
        int unfinished = 0;  // requests that wait or run
        std::size_t keptBytes = 0;
        Clock::time_point lastUse;  // when somebody was attached or something ran
    };
    Standing standing() const;

private:
    /// What is known of a request until it is released.
    struct Answer {
        enum class Stage { Waiting, Running, Finished };

        std::uint32_t number = 0;
        int slot = 0;
        bool isOwn = false;  // has a thread of its own
        Stage stage = Stage::Waiting;
        bool hasRun = false;   // its thread needs nothing of the session any more
        bool isWanted = true;  // its parts are
        std::int64_t partsMade = 0;
        std::int64_t partsGone = 0;  // before those that are kept
        std::deque<PackedPtr> parts;
        PackedPtr end;
        PackedPtr progress;
        std::size_t bytes = 0;  // of parts and end
        Clock::time_point lastProgress;
        std::stop_source stop;
    };
    using AnswerPtr = std::shared_ptr<Answer>;

    void begin(std::uint32_t number, std::int64_t partsReceived, const Tree& request);
    void replace(int slot, bool isCancelling);
    AnswerPtr find(std::uint32_t number) const;
    bool dropUnsent(Answer& answer);
    void withdraw(Answer& answer, const char* why);
    void run(const AnswerPtr& answer, const Tree& request, bool isPatient, const std::stop_token& queueStop);
    void report(Answer& answer, int done, int total);
    void addPart(Answer& answer, const Tree& part);
    void finish(Answer& answer, PackedPtr end);
    void repeat(Answer& answer, std::int64_t partsReceived);
    void cancel(std::uint32_t number);
    void release(std::uint32_t number);
    void credit(const Message& message);
    void forgetParts(Answer& answer, std::int64_t partsTaken);
    void keepWithinBounds();
    void joinFinished();
    void send(const PackedPtr& message);

    const std::unique_ptr<Handler> m_handler;
    const Limits m_limits;

    mutable std::mutex m_mutex;  // of what follows
    std::condition_variable_any m_fetched;
    std::shared_ptr<Channel> m_channel;  // null while nobody is here
    std::map<std::uint32_t, AnswerPtr> m_answers;
    std::size_t m_keptBytes = 0;
    Clock::time_point m_lastUse = Clock::now();
    bool m_isResting = false;
    std::list<std::pair<AnswerPtr, std::jthread>> m_own;
    WorkQueue m_queue;  // last: its jobs use the rest
};

}  // namespace hs::remote
