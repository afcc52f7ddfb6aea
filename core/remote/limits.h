#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace hs::remote {

/// How long and how large things may get between two machines. The other one is never trusted to end, to stop
/// or to be small.
struct Limits {
    using Time = std::chrono::milliseconds;

    std::size_t noise = 64 << 10;  // bytes before the word
    Time word{20'000};             // until the word and the greeting have come
    Time frame{30'000};            // from a frame's first byte to its last
    Time silence{15'000};          // without a byte: the line is lost
    Time busyBeat{150};            // between beats while the user is active
    Time idleBeat{2'000};
    Time active{5'000};      // after a call or a nudge, the user counts as active
    Time firstRetry{1'000};  // doubles with each
    Time lastRetry{30'000};
    Time cancelled{2'000};          // how long a cancelled call waits for its answer
    std::size_t window = 4 << 20;   // bytes of answers under way and not yet taken
    std::size_t strays = 1'000;     // answers to nothing, then the line is closed
    std::size_t kept = 512u << 20;  // bytes of answers that a session keeps for its client
    /// Seconds that this machine has slept.
    std::function<double()> slept;
};

}  // namespace hs::remote
