#pragma once

#include "base/descriptor.h"
#include "remote/limits.h"
#include "remote/outbox.h"

#include <atomic>
#include <functional>
#include <mutex>

namespace hs::remote {

/// Ends another thread's wait in poll.
class WakeUp {
public:
    WakeUp();
    int handle() const { return m_event.number(); }  // readable once `wake` was called
    void wake() const;
    void heard() const;

private:
    Descriptor m_event;
};

/// Sends and receives messages over two descriptors, which it does not own. One thread steps it and hears; any
/// thread may send.
class Channel {
public:
    using Clock = std::chrono::steady_clock;

    Channel(int in, int out, End end, const Limits& limits);

    void send(PackedPtr message);
    void send(Kind kind, std::uint32_t request, const Tree& tree) { send(pack(kind, request, tree)); }
    /// Forgets what is left to send of a request; whether there was anything.
    bool drop(std::uint32_t request);
    void grant(std::size_t bytes);
    /// Makes `step` return soon, and false from now on.
    void close();
    void wake() { m_wakeUp.wake(); }

    /// Writes what can be written, waits for bytes at most so long, and hands on the messages that have come.
    /// False once the other end has closed. Throws Failure if it breaks a rule.
    bool step(Limits::Time most, const std::function<void(Message&&)>& take);
    /// Writes what is left, for at most so long.
    void flush(Limits::Time most);

    const std::string& heard() const { return m_search.heard(); }  // before the first word
    bool hasWord() const { return m_hasWord; }
    Clock::time_point lastHeard() const { return m_lastHeard; }
    std::size_t takeDataBytes() { return m_reader.takeDataBytes(); }
    std::uint64_t received() const { return m_received; }
    std::uint64_t sent() const { return m_sent; }

private:
    bool read(const std::function<void(Message&&)>& take);
    void write();
    void hear(std::string_view bytes, const std::function<void(Message&&)>& take);

    int m_in, m_out;
    WakeUp m_wakeUp;
    Limits m_limits;
    std::mutex m_mutex;
    Outbox m_outbox;  // under the mutex
    std::string m_writing;
    MessageReader m_reader;
    WordSearch m_search;
    bool m_hasWord;
    bool m_isDeaf = false;  // the other end takes nothing any more, but what it said last is still read
    std::atomic<Clock::time_point> m_lastHeard = Clock::now();
    Clock::time_point m_frameBegan = Clock::now();
    std::atomic<bool> m_isClosed = false;
    std::atomic<std::uint64_t> m_received = 0;
    std::atomic<std::uint64_t> m_sent = 0;
};

}  // namespace hs::remote
