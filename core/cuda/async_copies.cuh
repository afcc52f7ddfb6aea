#pragma once

#include <cstdint>

namespace hs::cuda {

/// Starts copying sixteen bytes to shared memory; writes zeros unless `isThere`.
__device__ inline void copyAsync(void* shared, const void* global, bool isThere)
{
    const auto target = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
    // With a size of 0, no byte is read; the rest of the sixteen is filled with zeros.
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(global),
                 "r"(isThere ? 16 : 0));
}

__device__ inline void commitCopies()
{
    asm volatile("cp.async.commit_group;");
}

/// Waits until at most the last `kLeft` groups of copies are still under way.
template <int kLeft>
__device__ void awaitCopies()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

}  // namespace hs::cuda
