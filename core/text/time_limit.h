#pragma once

#include <chrono>
#include <cstddef>

namespace hs::text {

/// Ends work on a text that would go on and on: tokenizer files are untrusted, and a split pattern or a
/// chain of rules can take days. It is made where a text or a file comes in and holds for as long as it
/// lives; loops whose length a file decides check it, and nothing in between needs to pass it on.
class TimeLimit {
public:
    using Duration = std::chrono::steady_clock::duration;

    explicit TimeLimit(Duration duration);
    ~TimeLimit();
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;

    /// Many times what any honest tokenizer takes for that many bytes.
    static Duration generousFor(std::size_t bytes);

    /// Throws Failure when this thread's innermost limit has passed; does nothing without one.
    static void check();

private:
    std::chrono::steady_clock::time_point m_end;
    const TimeLimit* m_outer;
};

}  // namespace hs::text
