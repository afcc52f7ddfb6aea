#include "grid/grid_benchmark.h"

#include "support/catch.h"

using namespace hs;

TEST_CASE("the benchmark of the grids reports three quantiles of three motions", "[bench]")
{
    const std::vector<Measurement> all = benchmarkGrid();
    CHECK(all.size() == 9);
    for (const Measurement& each : all) {
        CHECK(each.value > 0);
        CHECK(each.unit == "ms");
    }
}
