// What libtorch and OpenBLAS leave unused of a processor by themselves. It is set before main, for every program and
// every test that computes, since results in their last digits depend on it.

#include "base/processor.h"
#include "engine/device/device_tensors.h"

#include <dlfcn.h>

#include <csignal>
#include <cstdlib>
#include <string_view>

namespace hs::engine {
namespace {

/// libtorch takes half of the processors where it believes that two share a core. It starts a thread when told how
/// many, which must not be the one that a signal reaches.
void useEveryCore()
{
    if (std::getenv("OMP_NUM_THREADS") || std::getenv("MKL_NUM_THREADS"))
        return;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    at::set_num_threads(allowedCores());
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

#ifdef __x86_64__

constexpr const char* kChoice = "OPENBLAS_CORETYPE";

/// The kernels of OpenBLAS that this processor can run, by its name for them; null for those it falls back to.
const char* fittingKernels()
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return "SkylakeX";
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "Haswell" : nullptr;
}

template <class Function>
Function* symbolOf(const char* name)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// On processors that came after it, OpenBLAS takes its oldest kernels, a sixth as fast: let it choose once more.
void useFittingKernels()
{
    auto* const coreName = symbolOf<char*()>("openblas_get_corename");
    auto* const forget = symbolOf<void()>("gotoblas_dynamic_quit");
    auto* const choose = symbolOf<void()>("gotoblas_dynamic_init");
    const char* const kernels = fittingKernels();
    if (!coreName || !forget || !choose || !kernels || std::getenv(kChoice) ||
        std::string_view(coreName()) != "Prescott")
        return;
    setenv(kChoice, kernels, 1);
    forget();
    choose();
    unsetenv(kChoice);
}

#else

void useFittingKernels() {}

#endif

[[maybe_unused]] const bool kIsWhole = [] {
    useEveryCore();
    useFittingKernels();
    return true;
}();

}  // namespace

int processorThreads()
{
    return at::get_num_threads();
}

}  // namespace hs::engine
