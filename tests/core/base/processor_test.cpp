#include "base/processor.h"

#include "support/catch.h"

#include <sched.h>

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
