#pragma once

#include "base/failure.h"
#include "base/hooks.h"

namespace hs::app {

/// Throws what is wrong with a request, without running it: an analysis that is told to stop at once
/// checks what it was asked, and no more. `analyse` is called with such hooks.
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
