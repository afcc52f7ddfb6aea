#pragma once

#include "engine/run/engine.h"
#include "support/models.h"

namespace hs::test {

/// The result of an engine that has run nothing before.
inline engine::RunResult freshRun(const engine::RunRequest& request)
{
    return value(engine::Engine().run(request));
}

}  // namespace hs::test
