#pragma once

#include <chrono>
#include <cstddef>

namespace hs::text {

/// Ends work on a text that would go on and on: tokenizer files are untrusted, and a split pattern or a
/// chain of rules can ask for days. It stands where a text or a file comes in, for as long as it lives;
/// the loops whose length a file decides ask it, and the parts between need not hand it on.
class TimeLimit {
public:
    using Duration = std::chrono::steady_clock::duration;

    explicit TimeLimit(Duration duration);
    ~TimeLimit();
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;

    /// Many times what any honest tokenizer takes for so many bytes.
    static Duration generousFor(std::size_t bytes);

    /// Throws Failure when the innermost limit of this thread is over; without one, goes on.
    static void check();

private:
    std::chrono::steady_clock::time_point m_end;
    const TimeLimit* m_outer;
};

}  // namespace hs::text
