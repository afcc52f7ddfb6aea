#include "engine/run/run_room.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "engine/run/engine.h"
#include "model/architectures.h"
#include "support/catch.h"
#include "support/mentions.h"
#include "support/models.h"

#include <new>
#include <stdexcept>

using namespace hs;

namespace {

engine::RunRequest requestOf(std::int64_t length)
{
    static const std::shared_ptr<const engine::Model> model =
        test::value(engine::randomModel(test::value(model::readArchSpec({{"model_type", "gpt2"},
                                                                         {"n_layer", 4},
                                                                         {"n_head", 6},
                                                                         {"n_embd", 24},
                                                                         {"n_positions", 4096},
                                                                         {"vocab_size", 61}})),
                                        1, test::testOptions()));
    engine::RunRequest request;
    request.model = model;
    request.tokens.assign(static_cast<std::size_t>(length), 1);
    return request;
}

engine::FreeMemory holding(std::uint64_t bytes)
{
    return [bytes](engine::Device) { return std::optional(bytes); };
}

std::string refusalOf(const engine::RunRequest& request, const engine::FreeMemory& freeOn)
{
    const auto checked = guarded([&] {
        engine::requireRoom(request, freeOn);
        return true;
    });
    if (checked)
        return {};
    CHECK(checked.error().code == ErrorCode::TooLarge);
    return checked.error().message;
}

/// Calls `fail` when the first layer is done, as if memory ran out there.
Hooks runningOut(const std::function<void()>& fail)
{
    return {[fail](int done, int) {
                if (done == 1)
                    fail();
            },
            {}};
}

[[noreturn]] void failAsTheHost()
{
    throw std::bad_alloc();
}

[[noreturn]] void failAsAGpu()
{
    throw std::runtime_error("CUDA out of memory. Tried to allocate 2.00 GiB.");
}

}  // namespace

TEST_CASE("a run without room is refused with the length that fits: it does, and one more does not")
{
    for (const std::uint64_t free : {std::uint64_t{1'000'000}, std::uint64_t{3'456'789}}) {
        const std::int64_t fitting = engine::lengthWithRoom(requestOf(1), holding(free));
        INFO(fitting << " tokens in " << formatBytes(free));
        REQUIRE(fitting > 1);
        REQUIRE(fitting < requestOf(1).model->facts().spec.context);
        CHECK(refusalOf(requestOf(fitting), holding(free)).empty());
        const std::string refusal = refusalOf(requestOf(fitting + 1), holding(free));
        CHECK(test::mentions(refusal,
                             "about " + formatCount(fitting) + " tokens would fit: shorten the prompt."));
    }
}

TEST_CASE("where no prompt has room the remedy is not a shorter one")
{
    CHECK(test::mentions(refusalOf(requestOf(4), holding(100)), "smaller model"));
}

TEST_CASE("no more is promised than the model reads, nor anything refused where nobody says what is free")
{
    const engine::RunRequest request = requestOf(4);
    CHECK(engine::lengthWithRoom(request, holding(std::uint64_t{1} << 60)) ==
          request.model->facts().spec.context);
    CHECK(engine::hasRoom(request, [](engine::Device) { return std::optional<std::uint64_t>(); }));
}

TEST_CASE("a run in which memory runs out says so, and the next one works", "[fault]")
{
    for (const auto& fail : {failAsTheHost, failAsAGpu}) {
        const engine::RunRequest request = requestOf(9);
        engine::Engine engine;
        const auto failed = engine.run(request, runningOut(fail));
        REQUIRE_FALSE(failed);
        CHECK(failed.error().code == ErrorCode::TooLarge);
        CHECK(test::mentions(failed.error().message, "about 4 tokens would fit: shorten the prompt."));
        const engine::RunResult next = test::value(engine.run(request));
        CHECK(next.firstLayerComputed == 0);  // nothing was kept
        CHECK(next.predictions == test::value(engine::Engine().run(request)).predictions);
    }
}

TEST_CASE("every way to ask an engine survives that memory runs out", "[fault]")
{
    const engine::RunRequest request = requestOf(9);
    const Hooks hooks = runningOut(failAsTheHost);
    engine::Engine engine;
    const auto isTooLarge = [](const auto& result) {
        return !result && result.error().code == ErrorCode::TooLarge;
    };
    CHECK(isTooLarge(engine.layerMaps(request, 2, engine::MapKind::Weights, hooks)));
    CHECK(isTooLarge(engine.cellWeights(request, 3, 2, hooks)));
    CHECK(isTooLarge(engine.attribute({request, -1, 4, {}}, hooks)));
    CHECK(isTooLarge(engine.runVariants({request, {{}}, 4, {}}, hooks)));
    CHECK(isTooLarge(engine.headGradients(request, 4, {}, hooks)));
    CHECK(test::value(engine.run(request)).firstLayerComputed == 0);
}

TEST_CASE("a model that memory runs out for while it is loaded is refused with what is free again", "[fault]")
{
    const model::ModelFiles files =
        test::value(model::locateModel((test::goldenModels() / "gpt2").string(), {}));
    const auto model = engine::loadModel(files, test::testOptions(), runningOut(failAsAGpu));
    REQUIRE_FALSE(model);
    CHECK(model.error().code == ErrorCode::TooLarge);
    CHECK(test::mentions(model.error().message, "free again"));
}
