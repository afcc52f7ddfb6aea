#include "fuzz/target.h"

#include <cstddef>
#include <cstdint>

// A broken law ends the program, and libFuzzer keeps the input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    hs::fuzz::allTargets().front()({reinterpret_cast<const char*>(data), size});
    return 0;
}
