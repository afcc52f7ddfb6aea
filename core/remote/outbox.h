#pragma once

#include "remote/message.h"

#include <deque>
#include <list>

namespace hs::remote {

/// What is to be sent, in the order in which it is. Small messages go first; large ones take turns, one frame
/// each, and as far as answers go only while there is credit. Messages of a request keep their order, but for
/// its progress. Not for several threads.
class Outbox {
public:
    explicit Outbox(std::size_t credit) : m_credit(static_cast<std::int64_t>(credit)) {}

    void add(PackedPtr message);
    /// Forgets what is left of a request's messages; whether there was anything.
    bool drop(std::uint32_t request);
    void grant(std::size_t bytes) { m_credit += static_cast<std::int64_t>(bytes); }

    /// Bytes to write now; empty if there are none. Ends with padding where nothing follows for now.
    std::string next();

private:
    struct Sending {
        PackedPtr message;
        std::size_t frame = 0;  // the next one
    };
    struct Lane {
        std::uint32_t request = 0;
        std::deque<Sending> messages;
    };

    const std::string* nextFrame();
    std::list<Lane>::iterator laneOf(std::uint32_t request);
    void spend(const Packed& message, std::size_t bytes);

    std::deque<PackedPtr> m_prompt;  // each of one frame
    std::list<Lane> m_lanes;         // whose turn it is first
    std::int64_t m_credit;           // below zero after small answers that did not wait
    bool m_isPadded = true;          // nothing was sent since the last padding
    PackedPtr m_current;             // owns what nextFrame returned
};

}  // namespace hs::remote
