#include "engine/sweep.h"

#include "engine/model.h"
#include "support/catch.h"
#include "support/models.h"

#include <algorithm>
#include <cmath>

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

TEST_CASE("a sweep tells of the units it knows, and what it told stays when it is cancelled")
{
    SweepRequest request;
    ArchSpec spec = test::openGolden("gpt2")->spec();
    spec.layers = 40;
    spec.windows.assign(40, 0);
    request.run.model = test::value(randomModel(spec, 3, test::testOptions()));
    for (int position = 0; position < 24; ++position)
        request.run.tokens.push_back(position);
    request.target = 6;
    std::vector<Sweep> told;
    Engine engine;
    const Sweep whole =
        test::value(sweep(engine, request, {}, [&](const Sweep& partial) { told.push_back(partial); }));
    REQUIRE(told.size() > 1);
    const auto known = [](const Sweep& partial) {
        return std::ranges::count_if(partial.changes,
                                     [](const VariantReading& change) { return !std::isnan(change.logit); });
    };
    CHECK(known(told.front()) > 0);
    CHECK(known(told.front()) < spec.headShape().total());
    CHECK(known(told.back()) == spec.headShape().total());
    CHECK(told.front().units == whole.units);

    std::stop_source stop;
    Sweep last;
    const Result<Sweep> cancelled = sweep(engine, request, {{}, stop.get_token()}, [&](const Sweep& partial) {
        last = partial;
        stop.request_stop();
    });
    REQUIRE_FALSE(cancelled);
    CHECK(cancelled.error().code == ErrorCode::Cancelled);
    CHECK(known(last) == known(told.front()));
}

TEST_CASE("a sweep is read where the run is, and without the loss where nobody asks for it")
{
    SweepRequest request = groupedRequest();
    request.run.capture.position = 2;
    request.loss = false;
    Engine engine;
    const Sweep early = test::value(sweep(engine, request));
    const RunResult baseline = runWith(request, {});
    CHECK(baseline.position == 2);
    CHECK(early.baseline.logitDifference == Approx(differenceOf(baseline)).margin(1e-5));
    CHECK(early.changes[1].logitDifference ==
          Approx(differenceOf(runWith(request, {{{0, 1}, {}}})) - differenceOf(baseline)).margin(1e-5));
    CHECK(std::isnan(early.baseline.loss));
}
