#include "analyses/device_check.h"

#include "engine/load/model_copy.h"
#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/fresh_run.h"
#include "support/mentions.h"
#include "support/models.h"
#include "support/skip.h"

#include <cmath>

using namespace hs;

namespace {

engine::RunRequest requestOfEight(const std::shared_ptr<const engine::Model>& model)
{
    engine::RunRequest request;
    request.model = model;
    for (int position = 0; position < 8; ++position)
        request.tokens.push_back((position * 5 + 2) % model->spec().vocabulary);
    request.capture.logits = true;
    return request;
}

/// The run of a device that computes one head's weights only half as large.
engine::RunResult runOfBadDevice(engine::RunRequest request, HeadId head)
{
    request.ablations[head] = {HeadChange::Kind::Cells, nullptr, nullptr,
                               test::value(parseHeadChange("[*<*]:scale=0.5")).cells};
    return test::freshRun(request);
}

std::shared_ptr<const engine::Model> openGoldenOn(const std::string& name, const std::string& device,
                                                  model::DType type)
{
    const auto files = test::value(model::locateModel((test::goldenModels() / name).string(), {}));
    return test::value(engine::loadModel(files, {test::value(engine::chooseDevice(device)), type}));
}

}  // namespace

TEST_CASE("a device is found to compute what the processor does, on every architecture")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const auto model = test::openOnce(name);
        const auto check =
            test::value(analyses::checkDevice(model, requestOfEight(model).tokens, /*tf32=*/false, {}));
        CHECK(check == analyses::DeviceCheck{model->spec().layers, {}, {}});
    }
}

TEST_CASE("a GPU is found to compute what the processor does, in every precision")
{
    if (!engine::chooseDevice("cuda"))
        test::skipTest("there is no GPU");
    for (const std::string& name : test::goldenNames())
        for (const model::DType type : {model::DType::F32, model::DType::F16, model::DType::BF16})
            for (const bool tf32 : {false, true}) {
                INFO(name << ", type " << static_cast<int>(type) << (tf32 ? ", tf32" : ""));
                const auto model = openGoldenOn(name, "cuda", type);
                const auto check =
                    test::value(analyses::checkDevice(model, requestOfEight(model).tokens, tf32, {}));
                CHECK(check.layers == model->spec().layers);
                if (check.beyond)
                    FAIL_CHECK(analyses::warningOf(*check.beyond, name, "the GPU", "this precision"));
            }
}

TEST_CASE("a device that computes something else is named with the head where that begins")
{
    for (const std::string name : {"gpt2", "llama-grouped", "gemma2"}) {
        INFO(name);
        const engine::RunRequest request = requestOfEight(test::openOnce(name));
        const engine::RunResult right = test::freshRun(request);
        const int layers = request.model->spec().layers;
        for (const char* const precision : {"float32", "tf32", "float16"}) {
            const auto tolerance = analyses::toleranceOf(precision);
            CHECK_FALSE(analyses::findDifference(right, right, layers, tolerance));
            for (const HeadId bad : {HeadId{0, 1}, HeadId{1, 0}}) {
                const engine::RunResult wrong = runOfBadDevice(request, bad);
                const auto found = analyses::findDifference(wrong, right, layers, tolerance);
                REQUIRE(found);
                CHECK(found->head == bad);
                CHECK(found->size == Approx(0.5).margin(0.02));
                const std::string warning = analyses::warningOf(*found, "A model", "a GPU", precision);
                CHECK(test::mentions(warning, "from " + toString(bad) + " on"));
                CHECK(test::mentions(warning, "Preferences"));
                // What a narrow type may have done is tried in a wide one before a GPU is blamed.
                CHECK(test::mentions(warning, "Choose float32") == (std::string(precision) != "float32"));
                // What was not compared is not judged.
                if (bad.layer == 1) {
                    engine::RunResult withoutLogits = wrong;
                    withoutLogits.logits.clear();
                    CHECK_FALSE(analyses::findDifference(withoutLogits, right, 1, tolerance));
                }
            }
        }
    }
}

TEST_CASE("a device whose patterns are right and whose logits are not, or are no numbers, is named")
{
    const engine::RunRequest request = requestOfEight(test::openOnce("gpt2"));
    const engine::RunResult right = test::freshRun(request);
    for (const float wrongLogit : {1e4f, NAN}) {
        engine::RunResult wrong = right;
        wrong.logits[3] = wrongLogit;
        const auto found = analyses::findDifference(wrong, right, request.model->spec().layers,
                                                    analyses::toleranceOf("bfloat16"));
        REQUIRE(found);
        CHECK_FALSE(found->head);
        CHECK(test::mentions(analyses::warningOf(*found, "A model", "a GPU", "bfloat16"), "in its logits"));
        CHECK(found->size <= analyses::kFarthest);
    }
}

TEST_CASE("the fewer bits a precision has, the more it explains")
{
    analyses::DeviceTolerance last;
    for (const char* const precision : {"float32", "tf32", "float16", "bfloat16"}) {
        const auto tolerance = analyses::toleranceOf(precision);
        CHECK(tolerance.attention > last.attention);
        CHECK(tolerance.logits > last.logits);
        last = tolerance;
    }
}

TEST_CASE("a copy of a model's first layers has their patterns, bit for bit, and of all has its logits")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        engine::RunRequest request = requestOfEight(openGoldenOn(name, "cpu", model::DType::F32));
        const engine::RunResult whole = test::freshRun(request);
        const auto model = request.model;
        request.model = engine::copyModel(*model, {}, model->spec().layers, {});
        CHECK((test::freshRun(request).logits == whole.logits));
        CHECK(request.model->facts().weightBytes == model->facts().weightBytes);
        request.model = engine::copyModel(*model, {}, 1, {});
        const engine::RunResult first = test::freshRun(request);
        REQUIRE(first.heads.layers == 1);
        CHECK(std::equal(first.tiles[0].get(),
                         first.tiles[0].get() + std::size_t(first.heads.heads) * first.tileCells(),
                         whole.tiles[0].get()));
    }
}

TEST_CASE("layers whose copies do not fit are not compared, and it is said why")
{
    const auto model = test::openOnce("gpt2");
    const auto tokens = requestOfEight(model).tokens;
    const auto checkWith = [&](std::uint64_t bytes) {
        return test::value(analyses::checkDevice(model, tokens, /*tf32=*/false, {},
                                                 [bytes](engine::Device) { return std::optional(bytes); }));
    };
    const auto one = checkWith(2 * engine::copiedBytes(*model, 1) + 2);
    CHECK(one.layers == 1);
    CHECK(test::mentions(one.left, "Only 1 of"));
    CHECK_FALSE(one.beyond);
    const auto none = checkWith(1000);
    CHECK(none.layers == 0);
    CHECK(test::mentions(none.left, "No layers"));
    CHECK_FALSE(none.beyond);
}

TEST_CASE("a check of a device stops when it is told to")
{
    const auto model = test::openOnce("gpt2");
    std::stop_source stop;
    stop.request_stop();
    const auto check =
        analyses::checkDevice(model, requestOfEight(model).tokens, false, {{}, stop.get_token()});
    REQUIRE_FALSE(check);
    CHECK(check.error().code == ErrorCode::Cancelled);
}
