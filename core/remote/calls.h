#pragma once

#include "base/hooks.h"
#include "remote/channel.h"
#include "remote/hello.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

namespace hs::remote {

/// The calls of a connection that are under way, over however many lines. Any thread may call; the connection's
/// own thread brings lines and messages.
class Calls {
public:
    explicit Calls(const Limits& limits) : m_limits(limits) {}
    /// Waits until every caller has gone.
    ~Calls();

    /// See Connection::call.
    Result<Tree> call(const Tree& request, const Hooks& hooks, const std::function<void(Tree)>& onPart);

    /// Says hello over a new line and asks again for what is under way.
    void connect(std::shared_ptr<Channel> channel, Hello ours);
    void disconnect();
    /// Fails what is under way and what comes, until it is taken back.
    void refuse(std::optional<Error> reason);

    /// A message of an answer. Throws Failure if too many of them answer nothing.
    void take(Message&& message);
    /// So many bytes of answers have come.
    void receive(std::size_t bytes);

private:
    struct Call {
        const Tree* request = nullptr;
        std::int64_t partsReceived = 0;
        std::int64_t partsTaken = 0;
        std::deque<Message> events;  // not taken yet
        std::size_t held = 0;        // their bytes
        int done = 0, total = 1;     // progress
    };

    Tree await(std::uint32_t number, Call& mine, const Hooks& hooks, const std::function<void(Tree)>& onPart);
    void taken(std::uint32_t number, Call& mine, Kind kind, std::size_t bytes);
    void grant(std::uint32_t number, std::int64_t parts);

    Limits m_limits;
    std::mutex m_mutex;  // of all that follows
    std::condition_variable m_news;
    std::shared_ptr<Channel> m_channel;  // null while there is no line
    std::optional<Error> m_refusal;
    std::map<std::uint32_t, Call*> m_calls;
    std::uint32_t m_lastNumber = 0;
    std::size_t m_owed = 0;  // bytes that have come and were not granted again
    std::size_t m_held = 0;  // bytes that wait to be taken
    std::size_t m_strays = 0;
};

}  // namespace hs::remote
