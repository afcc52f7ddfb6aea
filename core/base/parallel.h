#pragma once

#include "base/hooks.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace hs {

/// Calls `body(index)` for 0..count-1 on all cores, each index once. `cost` of a call, in steps of some
/// nanoseconds: with little to do, another thread costs more than it saves. Throws what one of the calls threw,
/// or Cancelled; then not all were made.
template <class Body>
void forEachInParallel(int count, std::size_t cost, std::stop_token stop, const Body& body)
{
    static constexpr std::size_t kWorthThread = 1 << 16;
    std::atomic<int> next = 0;
    std::mutex mutex;
    std::exception_ptr problem;
    const auto work = [&] {
        try {
            for (int index = next++; index < count && !stop.stop_requested(); index = next++)
                body(index);
        } catch (...) {
            next = count;
            const std::lock_guard lock(mutex);
            problem = std::current_exception();
        }
    };
    {
        const std::size_t worth = cost * static_cast<std::size_t>(count) / kWorthThread;
        const std::size_t threads = std::min<std::size_t>(std::thread::hardware_concurrency(), worth);
        std::vector<std::jthread> others;
        for (std::size_t thread = 1; thread < threads; ++thread)
            others.emplace_back(work);
        work();
    }
    if (problem)
        std::rethrow_exception(problem);
    Hooks{{}, stop}.throwIfCancelled();
}

}  // namespace hs
