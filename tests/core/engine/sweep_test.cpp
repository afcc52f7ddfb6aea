#include "engine/sweep.h"

#include "engine/model.h"
#include "support/catch.h"
#include "support/models.h"

using namespace hs;

namespace {

/// A model in which groups of query heads share keys and values.
SweepRequest groupedRequest()
{
    SweepRequest request;
    for (const std::string& name : test::goldenNames()) {
        request.run.model = test::openGolden(name);
        const HeadShape shape = request.run.model->spec().headShape();
        if (shape.kvHeads > 1 && shape.kvHeads < shape.heads)
            break;
    }
    request.run.tokens = {1, 5, 2, 9, 3};
    request.target = 6;
    request.versus = 2;
    return request;
}

RunResult runWith(const SweepRequest& request, const Ablations& ablations)
{
    RunRequest run = request.run;
    run.ablations = ablations;
    run.capture.watched = {request.target, *request.versus};
    return test::value(Engine().run(run));
}

double differenceOf(const RunResult& run)
{
    return run.watched[0].logit - run.watched[1].logit;
}

}  // namespace

TEST_CASE("a sweep says by how much each head's absence changes the answer")
{
    SweepRequest request = groupedRequest();
    const HeadShape shape = request.run.model->spec().headShape();
    const double baseline = differenceOf(runWith(request, {}));
    for (const auto method : {SweepMethod::Zero, SweepMethod::Mean}) {
        request.method = method;
        const auto kind = method == SweepMethod::Zero ? HeadAblation::Kind::Zero : HeadAblation::Kind::Mean;
        Engine engine;
        const Sweep result = test::value(sweep(engine, request));
        REQUIRE(result.units.size() == static_cast<std::size_t>(shape.total()));
        for (int index = 0; index < shape.total(); ++index) {
            const HeadId head = shape.at(index);
            CHECK(result.units[index] == SweepUnit{head.layer, head.head});
            CHECK(result.changes[index].logitDifference ==
                  Approx(differenceOf(runWith(request, {{head, {kind, {}}}})) - baseline).margin(1e-5));
            CHECK(result.changes[index].divergence >= 0);
        }
    }
}

TEST_CASE("a sweep of groups and of layers switches all their heads off")
{
    SweepRequest request = groupedRequest();
    const HeadShape shape = request.run.model->spec().headShape();
    const double baseline = differenceOf(runWith(request, {}));
    const auto changeOf = [&](const std::string& heads) {
        Ablations ablations;
        for (const HeadId head : test::value(parseHeads(heads, shape)))
            ablations[head] = {};
        return differenceOf(runWith(request, ablations)) - baseline;
    };
    Engine engine;
    request.units = SweepUnits::Groups;
    const Sweep groups = test::value(sweep(engine, request));
    REQUIRE(groups.units.size() == static_cast<std::size_t>(shape.layers * shape.kvHeads));
    CHECK(groups.changes[shape.kvHeads + 1].logitDifference == Approx(changeOf("L1KV1")).margin(1e-5));
    request.units = SweepUnits::Layers;
    const Sweep layers = test::value(sweep(engine, request));
    REQUIRE(layers.units.size() == static_cast<std::size_t>(shape.layers));
    CHECK(layers.changes[1].logitDifference == Approx(changeOf("L1H*")).margin(1e-5));
}

TEST_CASE("resampling from the prompt itself changes nothing, from another one of its length something")
{
    SweepRequest request = groupedRequest();
    request.method = SweepMethod::Resample;
    request.source = request.run.tokens;
    Engine engine;
    for (const VariantReading& change : test::value(sweep(engine, request)).changes)
        CHECK(change.logitDifference == Approx(0).margin(1e-5));
    request.source.front() = 7;
    double most = 0;
    for (const VariantReading& change : test::value(sweep(engine, request)).changes)
        most = std::max(most, std::abs(change.logitDifference));
    CHECK(most > 1e-4);
    request.source.pop_back();
    const Result<Sweep> refused = sweep(engine, request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("same number") != std::string::npos);
}
