#pragma once

#include "program.h"
#include "support/catch.h"

#include <nlohmann/json.hpp>

namespace hs::test {

/// A call that must have succeeded.
inline Outcome requireDone(Outcome outcome)
{
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    return outcome;
}

inline Outcome done(const Words& arguments)
{
    return requireDone(headscope(arguments));
}

inline nlohmann::json jsonOf(const Words& arguments)
{
    return nlohmann::json::parse(done(arguments).out);
}

}  // namespace hs::test
