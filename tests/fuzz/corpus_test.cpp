#include "fuzz/mutation.h"
#include "fuzz/target.h"
#include "support/bytes_of.h"
#include "support/catch.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

using namespace hs::fuzz;
namespace fs = std::filesystem;

namespace {

/// How many neighbours of each input are tried; HS_FUZZ_NEIGHBOURS can set more for a night.
int neighbours()
{
    const char* const wanted = std::getenv("HS_FUZZ_NEIGHBOURS");
    return wanted ? std::atoi(wanted) : 100;
}

const fs::path kCorpus = fs::path(HS_SOURCE_DIR) / "tests" / "fuzz" / "corpus";

std::vector<fs::path> inputsOf(const Target& target)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(kCorpus / target.name()))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

TEST_CASE("every input of the corpus keeps its target's laws")
{
    for (const Target& target : allTargets()) {
        const std::vector<fs::path> files = inputsOf(target);
        CHECK(!files.empty());
        for (const fs::path& file : files) {
            INFO(file);
            CHECK_NOTHROW(target(hs::test::bytesOf(file)));
        }
    }
}

// To run one target: fuzz_tests "neighbours*" -c state_dict
TEST_CASE("neighbours of the corpus keep their target's laws")
{
    const int ofEach = neighbours();
    for (const Target& target : allTargets()) {
        DYNAMIC_SECTION(target.name())
        {
            std::mt19937 draws(1);
            for (const fs::path& file : inputsOf(target)) {
                const std::string content = hs::test::bytesOf(file);
                for (int count = 0; count < ofEach; ++count) {
                    const std::string input = mutated(content, draws);
                    INFO("neighbour " << count << " of " << file);
                    REQUIRE_NOTHROW(target(input));
                }
            }
        }
    }
}
