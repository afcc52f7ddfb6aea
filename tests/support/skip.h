#pragma once

#include "support/catch.h"

#include <cstdio>
#include <string>

namespace hs::test {

/// Ends a test case that needs what this machine lacks, and says so: ./dev test lists all such lines.
/// Catch2 2 has no SKIP, and Catch2 3 fails a program in which every case is skipped; both end a case at
/// this exception without counting a failure.
[[noreturn]] inline void skipTest(const std::string& reason)
{
    std::printf("skipped: %s: %s\n", Catch::getResultCapture().getCurrentTestName().c_str(), reason.c_str());
    std::fflush(stdout);
    throw Catch::TestFailureException();
}

}  // namespace hs::test
