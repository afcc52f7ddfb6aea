#include "engine/device/device_tensors.h"
#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"

using namespace hs;

namespace {

bool isRounding()
{
    return at::globalContext().allowTF32CuBLAS();
}

/// Whether torch was allowed to round during a run.
bool isRoundingWhile(engine::Engine& engine, const engine::RunRequest& request)
{
    bool seen = false;
    test::value(engine.run(request, {[&seen](int, int) { seen = isRounding(); }, {}}));
    return seen;
}

}  // namespace

TEST_CASE("float32 products are rounded to TF32 in runs that ask for it, and nowhere else")
{
    engine::Engine engine;
    engine::RunRequest request;
    request.model = test::openGolden("gpt2");
    request.tokens = {3, 14, 15, 9};
    CHECK_FALSE(isRoundingWhile(engine, request));
    request.tf32 = true;
    CHECK(isRoundingWhile(engine, request));
    CHECK_FALSE(isRounding());

    const engine::Tf32Scope everywhere(true);
    request.tf32 = false;
    CHECK_FALSE(isRoundingWhile(engine, request));
    CHECK(isRounding());
}

TEST_CASE("a run in another precision starts anew")
{
    engine::Engine engine;
    engine::RunRequest request;
    request.model = test::openGolden("gpt2");
    request.tokens = {3, 14, 15, 9};
    const int layers = request.model->spec().layers;
    test::value(engine.run(request));
    REQUIRE(test::value(engine.run(request)).firstLayerComputed == layers);
    request.tf32 = true;
    CHECK(test::value(engine.run(request)).firstLayerComputed == 0);
    CHECK(test::value(engine.run(request)).firstLayerComputed == layers);
}

TEST_CASE("the processor computes in float32, a GPU in the weights' type")
{
    const engine::Device cpu;
    const engine::Device gpu{engine::Device::Kind::Cuda, 0};
    CHECK(engine::precisionName(cpu, model::DType::BF16, true) == "float32");
    CHECK(engine::precisionName(gpu, model::DType::F32, false) == "float32");
    CHECK(engine::precisionName(gpu, model::DType::F32, true) == "tf32");
    CHECK(engine::precisionName(gpu, model::DType::BF16, true) == "bfloat16");
    CHECK(engine::precisionName(gpu, model::DType::F16, false) == "float16");
}
