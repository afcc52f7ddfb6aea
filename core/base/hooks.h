#pragma once

#include "base/failure.h"

#include <functional>
#include <stop_token>

namespace hs {

/// How long-running work reports progress and is told to stop; both are used on the working thread.
struct Hooks {
    std::function<void(int done, int total)> progress;
    std::stop_token stop;

    void report(int done, int total) const
    {
        if (progress)
            progress(done, total);
    }
    /// Polled between steps; throws Failure(Cancelled).
    void throwIfCancelled() const
    {
        if (stop.stop_requested())
            fail(ErrorCode::Cancelled, "Cancelled.");
    }
};

}  // namespace hs
