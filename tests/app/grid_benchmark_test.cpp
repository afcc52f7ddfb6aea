#include "app/desktop/grid_benchmark.h"

#include "support/catch.h"

using namespace hs;

TEST_CASE("the benchmark of the grids reports three quantiles of three motions", "[bench]")
{
    const std::vector<bench::Measurement> all = app::benchmarkGrid(128);
    CHECK(all.size() == 9);
    for (const bench::Measurement& each : all) {
        CHECK(each.value > 0);
        CHECK(each.unit == "ms");
    }
}
