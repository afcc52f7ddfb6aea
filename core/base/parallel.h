#pragma once

#include "base/hooks.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace hs {

/// Calls `body(index)` for 0..count-1 on all cores, each index once. Throws what one of the calls threw, or
/// Cancelled; then not all were made.
template <class Body>
void forEachInParallel(int count, std::stop_token stop, const Body& body)
{
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
        const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
        std::vector<std::jthread> others;
        for (int thread = 1; thread < std::min(cores, count); ++thread)
            others.emplace_back(work);
        work();
    }
    if (problem)
        std::rethrow_exception(problem);
    Hooks{{}, stop}.throwIfCancelled();
}

}  // namespace hs
