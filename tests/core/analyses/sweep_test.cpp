#include "analyses/sweep.h"

#include "analyses/cell_sweep.h"
#include "engine/load/model.h"
#include "support/catch.h"
#include "support/models.h"

#include <algorithm>
#include <cmath>

using namespace hs;

namespace {

/// A model in which groups of query heads share keys and values.
analyses::SweepRequest groupedRequest()
{
    analyses::SweepRequest request;
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

engine::RunResult runWith(const analyses::SweepRequest& request, const engine::Ablations& ablations)
{
    engine::RunRequest run = request.run;
    run.ablations = ablations;
    run.capture.watched = {request.target, *request.versus};
    return test::value(engine::Engine().run(run));
}

double differenceOf(const engine::RunResult& run)
{
    return run.watched[0].logit - run.watched[1].logit;
}

}  // namespace

TEST_CASE("a sweep says by how much each head's absence changes the answer")
{
    analyses::SweepRequest request = groupedRequest();
    const HeadShape shape = request.run.model->spec().headShape();
    const double baseline = differenceOf(runWith(request, {}));
    for (const auto method : {analyses::SweepMethod::Zero, analyses::SweepMethod::Mean}) {
        request.method = method;
        const auto kind = method == analyses::SweepMethod::Zero ? engine::HeadAblation::Kind::Zero
                                                                : engine::HeadAblation::Kind::Mean;
        engine::Engine engine;
        const analyses::Sweep result = test::value(analyses::sweep(engine, request));
        REQUIRE(result.units.size() == static_cast<std::size_t>(shape.total()));
        for (int index = 0; index < shape.total(); ++index) {
            const HeadId head = shape.at(index);
            CHECK(result.units[index] == analyses::SweepUnit{head.layer, head.head});
            CHECK(result.changes[index].logitDifference ==
                  Approx(differenceOf(runWith(request, {{head, {kind, {}}}})) - baseline).margin(1e-5));
            CHECK(result.changes[index].divergence >= 0);
        }
    }
}

TEST_CASE("a sweep of heads and MLPs has the MLP of a layer behind its heads")
{
    analyses::SweepRequest request = groupedRequest();
    const HeadShape shape = request.run.model->spec().headShape();
    const double baseline = differenceOf(runWith(request, {}));
    request.units = analyses::SweepUnits::HeadsAndMlps;
    request.method = analyses::SweepMethod::Mean;
    engine::Engine engine;
    const analyses::Sweep swept = test::value(analyses::sweep(engine, request));
    const std::vector<HeadId> units = shape.all(Units::HeadsAndMlps);
    REQUIRE(swept.units.size() == units.size());
    for (std::size_t index = 0; index < units.size(); ++index) {
        CHECK(analyses::headsOf(swept.units[index], swept.kind, shape) == std::vector{units[index]});
        const engine::Ablations alone = {{units[index], {engine::HeadAblation::Kind::Mean, {}}}};
        CHECK(swept.changes[index].logitDifference ==
              Approx(differenceOf(runWith(request, alone)) - baseline).margin(1e-5));
    }
}

TEST_CASE("a sweep of groups and of layers switches all their heads off")
{
    analyses::SweepRequest request = groupedRequest();
    const HeadShape shape = request.run.model->spec().headShape();
    const double baseline = differenceOf(runWith(request, {}));
    const auto changeOf = [&](const std::string& heads) {
        engine::Ablations ablations;
        for (const HeadId head : test::value(parseHeads(heads, shape)))
            ablations[head] = {};
        return differenceOf(runWith(request, ablations)) - baseline;
    };
    engine::Engine engine;
    request.units = analyses::SweepUnits::Groups;
    const analyses::Sweep groups = test::value(analyses::sweep(engine, request));
    REQUIRE(groups.units.size() == static_cast<std::size_t>(shape.layers * shape.kvHeads));
    CHECK(groups.changes[shape.kvHeads + 1].logitDifference == Approx(changeOf("L1KV1")).margin(1e-5));
    request.units = analyses::SweepUnits::Layers;
    const analyses::Sweep layers = test::value(analyses::sweep(engine, request));
    REQUIRE(layers.units.size() == static_cast<std::size_t>(shape.layers));
    CHECK(layers.changes[1].logitDifference == Approx(changeOf("L1H*")).margin(1e-5));
}

TEST_CASE("a sweep of a head's cells gives for each what cutting it does, the largest change first")
{
    const analyses::SweepRequest all = groupedRequest();
    analyses::CellSweepRequest request{all.run, {1, 2}, {}, all.target, all.versus};
    const double baseline = differenceOf(runWith(all, {}));
    engine::Engine engine;
    for (const auto& method : {CellMethod{}, CellMethod{CellMethod::Kind::Renormalise, 0}}) {
        request.method = method;
        const analyses::CellSweep swept = test::value(analyses::sweepCells(engine, request));
        const auto length = request.run.tokens.size();
        CHECK(swept.cells.size() == length * (length + 1) / 2);
        double last = INFINITY;
        for (const auto& [cell, weight, change] : swept.cells) {
            engine::HeadAblation cut;
            cut.kind = HeadChange::Kind::Cells;
            cut.edits = {{blockOf(cell), method}};
            CHECK(weight > 0);
            CHECK(change.logitDifference ==
                  Approx(differenceOf(runWith(all, {{request.head, cut}})) - baseline).margin(1e-5));
            CHECK(std::abs(change.logitDifference) <= last);
            last = std::abs(change.logitDifference);
        }
    }
    request.most = 4;
    const analyses::CellSweep few = test::value(analyses::sweepCells(engine, request));
    CHECK(few.cells.size() == 4);
    CHECK(few.leftOut ==
          static_cast<int>(request.run.tokens.size() * (request.run.tokens.size() + 1) / 2) - 4);
}

TEST_CASE("resampling from the prompt itself changes nothing, from another one of its length something")
{
    analyses::SweepRequest request = groupedRequest();
    request.units = GENERATE(analyses::SweepUnits::Heads, analyses::SweepUnits::HeadsAndMlps);
    request.method = analyses::SweepMethod::Resample;
    request.source = request.run.tokens;
    engine::Engine engine;
    for (const engine::VariantReading& change : test::value(analyses::sweep(engine, request)).changes)
        CHECK(change.logitDifference == Approx(0).margin(1e-5));
    request.source.front() = 7;
    double most = 0;
    for (const engine::VariantReading& change : test::value(analyses::sweep(engine, request)).changes)
        most = std::max(most, std::abs(change.logitDifference));
    CHECK(most > 1e-4);
    request.source.pop_back();
    const Result<analyses::Sweep> refused = analyses::sweep(engine, request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("same number") != std::string::npos);
}

TEST_CASE("a sweep tells of the units it knows, and what it told stays when it is cancelled")
{
    analyses::SweepRequest request;
    model::ArchSpec spec = test::openGolden("gpt2")->spec();
    spec.layers = 40;
    spec.windows.assign(40, 0);
    request.run.model = test::value(engine::randomModel(spec, 3, test::testOptions()));
    for (int position = 0; position < 24; ++position)
        request.run.tokens.push_back(position);
    request.target = 6;
    std::vector<analyses::Sweep> told;
    engine::Engine engine;
    const analyses::Sweep whole = test::value(analyses::sweep(
        engine, request, {}, [&](const analyses::Sweep& partial) { told.push_back(partial); }));
    REQUIRE(told.size() > 1);
    const auto known = [](const analyses::Sweep& partial) {
        return std::ranges::count_if(
            partial.changes, [](const engine::VariantReading& change) { return !std::isnan(change.logit); });
    };
    CHECK(known(told.front()) > 0);
    CHECK(known(told.front()) < spec.headShape().total());
    CHECK(known(told.back()) == spec.headShape().total());
    CHECK(told.front().units == whole.units);

    std::stop_source stop;
    analyses::Sweep last;
    const Result<analyses::Sweep> cancelled =
        analyses::sweep(engine, request, {{}, stop.get_token()}, [&](const analyses::Sweep& partial) {
            last = partial;
            stop.request_stop();
        });
    REQUIRE_FALSE(cancelled);
    CHECK(cancelled.error().code == ErrorCode::Cancelled);
    CHECK(known(last) == known(told.front()));
}

TEST_CASE("a sweep is read where the run is, and without the loss where nobody asks for it")
{
    analyses::SweepRequest request = groupedRequest();
    request.run.capture.position = 2;
    request.loss = false;
    engine::Engine engine;
    const analyses::Sweep early = test::value(analyses::sweep(engine, request));
    const engine::RunResult baseline = runWith(request, {});
    CHECK(baseline.position == 2);
    CHECK(early.baseline.logitDifference == Approx(differenceOf(baseline)).margin(1e-5));
    CHECK(early.changes[1].logitDifference ==
          Approx(differenceOf(runWith(request, {{{0, 1}, {}}})) - differenceOf(baseline)).margin(1e-5));
    CHECK(std::isnan(early.baseline.loss));
}
