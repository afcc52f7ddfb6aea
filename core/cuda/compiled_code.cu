#include "cuda/device_state.h"

#include <algorithm>
#include <iterator>

namespace hs::cuda {

bool hasCodeFor(int major, int minor)
{
    static constexpr int kCompiledFor[] = {__CUDA_ARCH_LIST__};  // 860 is 8.6
    return std::any_of(std::begin(kCompiledFor), std::end(kCompiledFor), [&](int architecture) {
        return architecture / 100 == major && architecture / 10 % 10 <= minor;
    });
}

}  // namespace hs::cuda
