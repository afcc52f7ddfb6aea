#include "base/system_memory.h"

#include "support/catch.h"

#include <cstdlib>
#include <memory>

using namespace hs;

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
