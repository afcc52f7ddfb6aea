#pragma once

#include <cstdlib>
#include <string>
#include <vector>

namespace hs::test {

/// Environment variables that make a program's writing of files fail at a step: see fault_shim.cpp for the
/// faults "kill", "full" and "read-only".
inline std::vector<std::string> faultVariables(const std::string& fault, int step)
{
    const char* const sanitizer = std::getenv("ASAN_OPTIONS");
    return {"LD_PRELOAD=" HS_FAULT_SHIM, "HS_FAULT=" + fault, "HS_FAULT_AT=" + std::to_string(step),
            "ASAN_OPTIONS=verify_asan_link_order=0:" + std::string(sanitizer ? sanitizer : "")};
}

}  // namespace hs::test
