#include "engine/request/run_cost.h"

#include "base/failure.h"
#include "bench/benchmark_models.h"
#include "bench/device_speed.h"
#include "model/architectures.h"
#include "support/catch.h"

using namespace hs;

namespace {

const model::ArchSpec kOlmo = orThrow(model::readArchSpec(bench::olmo7bConfig()));

}

TEST_CASE("a run of OLMo-7B reads its weights but for the embedding and multiplies each with every token")
{
    const double layerWeights = 4.0 * 4096 * 4096 + 3.0 * 4096 * 11008;
    const double unembedding = 50304.0 * 4096;
    const engine::RunCost one = engine::costOfRun(kOlmo, 2, 1, 0);
    CHECK(one.bytes == Approx(2 * (32 * layerWeights + unembedding)));
    CHECK(one.flop == Approx(2 * (32 * layerWeights + unembedding) + 32 * 4 * 4096));

    const engine::RunCost many = engine::costOfRun(kOlmo, 2, 1024, 0);
    CHECK(many.bytes == one.bytes);
    CHECK(many.flop == Approx(13.5e12).epsilon(0.02));
}

TEST_CASE("a run from the middle layer on costs half of the layers")
{
    const engine::RunCost none = engine::costOfRun(kOlmo, 2, 128, 32);
    const engine::RunCost half = engine::costOfRun(kOlmo, 2, 128, 16);
    const engine::RunCost full = engine::costOfRun(kOlmo, 2, 128, 0);
    CHECK(full.bytes > half.bytes);
    CHECK(full.flop > half.flop);
    CHECK(full.bytes - none.bytes == Approx(2 * (half.bytes - none.bytes)));
    CHECK(full.flop - none.flop == Approx(2 * (half.flop - none.flop)));
}

TEST_CASE("a sweep costs less than a run of each head and more than half of the layers of each")
{
    const double sweep = engine::costOfSweep(kOlmo, 2, 32).flop;
    const double logits = 2.0 * 50304 * 4096;
    const double run = engine::costOfRun(kOlmo, 2, 32, 0).flop + 31 * logits;
    CHECK(sweep < 1025 * run);
    CHECK(sweep > 1024 * run * 0.5);
}

TEST_CASE("the floor is what takes longer, reading or multiplying")
{
    const bench::DeviceSpeed speed{4e12, 50e12, 800e12};
    const bench::Floor reading = bench::floorOf({8e9, 1e9}, speed, model::DType::BF16);
    CHECK(reading.milliseconds == Approx(2));
    CHECK(reading.bound == "reading the weights once");
    const bench::Floor products = bench::floorOf({8e9, 1e12}, speed, model::DType::F32);
    CHECK(products.milliseconds == Approx(20));
    CHECK(products.bound == "the products");
}
