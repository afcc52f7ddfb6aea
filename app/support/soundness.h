#pragma once

#include "base/failure.h"
#include "base/hooks.h"

namespace hs::app {

/// Throws if a request is faulty, without running it: `analyse` is called with hooks that stop it at once,
/// so that it checks the request and does no more.
template <class Analyse>
void requireSound(Analyse&& analyse)
{
    std::stop_source stop;
    stop.request_stop();
    const auto result = analyse(Hooks{{}, stop.get_token()});
    if (!result && result.error().code != ErrorCode::Cancelled)
        throw Failure(result.error());
}

}  // namespace hs::app
