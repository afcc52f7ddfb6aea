#include "base/failure.h"
#include "bench/benchmark_models.h"
#include "engine/request/forecast.h"
#include "model/architectures.h"
#include "support/catch.h"

using namespace hs;

namespace {

std::uint64_t neededFor(std::int64_t tokens, const engine::Capture& capture)
{
    static const model::ArchSpec spec = orThrow(model::readArchSpec(bench::olmo7bConfig()));
    return engine::forecastRun(spec, 2, 2, tokens, capture).running();
}

}  // namespace

TEST_CASE("a run that keeps no patterns needs memory for its tokens, one that does for their pairs")
{
    const engine::Capture pooled;
    engine::Capture patterns;
    patterns.fullMaps = true;
    CHECK(neededFor(4096, pooled) == 2 * neededFor(2048, pooled));
    CHECK(neededFor(4096, patterns) > 3 * neededFor(2048, patterns));
}

TEST_CASE("the memory that OLMo-7B was measured to take for 4,096 tokens is forecast, with little to spare")
{
    const double gigabytes = static_cast<double>(neededFor(4096, {})) / 1e9;
    CHECK(gigabytes > 1.41);  // tests/bench/results.md
    CHECK(gigabytes < 1.3 * 1.41);
}
