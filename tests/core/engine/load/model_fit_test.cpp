#include "engine/load/model_fit.h"

#include "base/failure.h"
#include "bench/benchmark_models.h"
#include "engine/load/model_loader.h"
#include "model/architectures.h"
#include "model/weight_plan.h"
#include "support/catch.h"

using namespace hs;

TEST_CASE("a model fits where its weights and a run have room, in the type they would be loaded in")
{
    const model::ArchSpec spec = orThrow(model::readArchSpec(bench::gpt2SmallConfig()));
    const auto weights = static_cast<std::uint64_t>(model::parameterCount(spec));
    const auto fitWith = [&](const std::string& dtype, std::optional<std::uint64_t> free) {
        return engine::fitOf(spec, "cpu", dtype, [free](engine::Device) { return free; });
    };
    const engine::ModelFit wide = fitWith("auto", std::nullopt);
    CHECK(wide.needed > 4 * weights);
    CHECK(wide.needed < 6 * weights);
    CHECK(wide.fits());  // what is not known refuses nothing
    CHECK(fitWith("auto", wide.needed).fits());
    CHECK_FALSE(fitWith("auto", wide.needed - 1).fits());
    CHECK(fitWith("bf16", wide.needed - 1).fits());
    CHECK(engine::fitOf(spec, "cuda:99", "auto", [](engine::Device) { return std::nullopt; }).needed > 0);
}

TEST_CASE("gates are decided in float32 on a GPU that has room for it, unless told otherwise")
{
    model::ArchSpec spec = orThrow(model::readArchSpec(bench::gpt2SmallConfig()));
    const auto bytes = 4 * static_cast<std::uint64_t>(model::parameterCount(spec));
    engine::LoadOptions options;
    const auto typeWith = [&](std::uint64_t free) {
        return engine::weightType(options, spec, model::DType::F16, [=](engine::Device) { return free; });
    };
    options.device.devices = {{engine::Device::Kind::Cuda, 0}};
    CHECK(typeWith(4 * bytes) == model::DType::F16);  // nothing is decided by rounding
    spec.gateBias = 0;
    CHECK(typeWith(4 * bytes) == model::DType::F32);
    CHECK(typeWith(bytes) == model::DType::F16);
    options.dtype = model::DType::BF16;
    CHECK(typeWith(4 * bytes) == model::DType::BF16);
    options = {};
    CHECK(typeWith(0) == model::DType::F32);  // on the processor
}
