#include "base/processor.h"

#include "support/catch.h"

#include <sched.h>

#include <cstdlib>
#include <memory>
#include <thread>

using namespace hs;

TEST_CASE("a thread that may run on one processor has one core, others have no more than there are")
{
    CHECK(allowedCores() >= 1);
    CHECK(allowedCores() <= static_cast<int>(std::thread::hardware_concurrency()));
    int cores = 0;
    std::thread([&] {
        cpu_set_t allowed;
        sched_getaffinity(0, sizeof allowed, &allowed);
        for (int processor = 0, kept = 0; processor < CPU_SETSIZE; ++processor)
            if (CPU_ISSET(processor, &allowed) && kept++ > 0)
                CPU_CLR(processor, &allowed);
        sched_setaffinity(0, sizeof allowed, &allowed);
        cores = allowedCores();
    }).join();
    CHECK(cores == 1);
}

TEST_CASE("memory that prefers large pages keeps what is in it, wherever it begins and ends")
{
    static constexpr std::size_t kBytes = 5 << 20;
    const std::unique_ptr<unsigned char, decltype(&std::free)> memory(
        static_cast<unsigned char*>(std::malloc(kBytes)), &std::free);
    for (std::size_t index = 0; index < kBytes; ++index)
        memory.get()[index] = static_cast<unsigned char>(index * 7);
    preferLargePages(memory.get() + 3, kBytes - 10);
    preferLargePages(memory.get(), 1);
    preferLargePages(nullptr, 0);
    bool isSame = true;
    for (std::size_t index = 0; index < kBytes; ++index)
        isSame = isSame && memory.get()[index] == static_cast<unsigned char>(index * 7);
    CHECK(isSame);
}
