#include "control/analyses/analysis_runs.h"

#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

namespace {

bool isDone(control::Explorer& explorer)
{
    return QTest::qWaitFor([&] {
        return std::ranges::none_of(service::kAnalyses, [&](service::AnalysisKind kind) {
            return explorer.analyses().isRunning(kind);
        });
    });
}

const control::AnalysisState& sweepOf(const ExplorerUnderTest& tested, Side side = Side::Left)
{
    return tested.explorer->analyses().state(service::AnalysisKind::Sweep, side);
}

}  // namespace

TEST_CASE("a sweep runs when it is started, on both sides, and never by itself")
{
    ExplorerUnderTest tested;
    tested.start();
    control::AnalysisRuns& analyses = tested.explorer->analyses();
    analyses.setWatched(service::AnalysisKind::Sweep, true);
    waitUntilIdle(*tested.explorer);
    CHECK(tested.fake->count(Call::Analysis) == 0);
    analyses.start(service::AnalysisKind::Sweep);
    CHECK(sweepOf(tested).isRunning);
    REQUIRE(isDone(*tested.explorer));
    CHECK(tested.fake->count(Call::Analysis) == 2);
    for (const Side side : kSides) {
        const control::AnalysisState& state = sweepOf(tested, side);
        REQUIRE(state.finding);
        CHECK_FALSE(state.finding->isPartial);
        CHECK_FALSE(state.isOutdated);
        CHECK(std::get<analyses::Sweep>(*state.finding->result).units.size() == 24);
    }
    CHECK_FALSE(tested.fake->wasCalledAtHome());
}

TEST_CASE("live analyses follow the document while somebody watches, and only then")
{
    ExplorerUnderTest tested;
    tested.start();
    control::AnalysisRuns& analyses = tested.explorer->analyses();
    tested.setPrompt(QStringLiteral("After Anna left"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.fake->count(Call::Analysis) == 0);
    for (const service::AnalysisKind kind :
         {service::AnalysisKind::Attribution, service::AnalysisKind::Scatter, service::AnalysisKind::Compare,
          service::AnalysisKind::Flow}) {
        analyses.setWatched(kind, true);
        REQUIRE(isDone(*tested.explorer));
        const auto first = analyses.state(kind, Side::Left).finding;
        REQUIRE(first);
        const QString other = tested.explorer->document().prompt().text + QStringLiteral(" and");
        tested.setPrompt(other);
        waitUntilIdle(*tested.explorer);
        REQUIRE(isDone(*tested.explorer));
        CHECK(analyses.state(kind, Side::Left).finding->request.side.prompt == other.toStdString());
        CHECK_FALSE(analyses.state(kind, Side::Left).isOutdated);
        analyses.setWatched(kind, false);
        const auto before = analyses.state(kind, Side::Left).finding;
        tested.setPrompt(other + QStringLiteral(" more"));
        waitUntilIdle(*tested.explorer);
        CHECK(analyses.state(kind, Side::Left).finding == before);
        CHECK(analyses.state(kind, Side::Left).isOutdated);
    }
}

TEST_CASE("an analysis is watched until its last watcher looks away")
{
    ExplorerUnderTest tested;
    tested.start();
    control::AnalysisRuns& analyses = tested.explorer->analyses();
    const int one = 0, other = 0;
    analyses.setWatched(service::AnalysisKind::Flow, true, &one);
    analyses.setWatched(service::AnalysisKind::Flow, true, &other);
    analyses.setWatched(service::AnalysisKind::Flow, false, &one);
    tested.setPrompt(QStringLiteral("After Anna left"));
    waitUntilIdle(*tested.explorer);
    REQUIRE(isDone(*tested.explorer));
    CHECK_FALSE(analyses.state(service::AnalysisKind::Flow, Side::Left).isOutdated);
    analyses.setWatched(service::AnalysisKind::Flow, false, &other);
    tested.setPrompt(QStringLiteral("After Anna came"));
    waitUntilIdle(*tested.explorer);
    CHECK(analyses.state(service::AnalysisKind::Flow, Side::Left).isOutdated);
}

TEST_CASE("what was found once is shown again without a run")
{
    ExplorerUnderTest tested;
    tested.start();
    control::AnalysisRuns& analyses = tested.explorer->analyses();
    analyses.start(service::AnalysisKind::Sweep);
    REQUIRE(isDone(*tested.explorer));
    const auto first = sweepOf(tested).finding->result;
    const int runs = tested.fake->count(Call::Analysis);
    edit(*tested.explorer,
         [](control::Document& document) { document.analyses.sweep.method = analyses::SweepMethod::Mean; });
    CHECK(sweepOf(tested).isOutdated);
    CHECK(sweepOf(tested).finding->result == first);
    tested.explorer->history().undo();
    CHECK_FALSE(sweepOf(tested).isOutdated);
    analyses.start(service::AnalysisKind::Sweep);
    REQUIRE(isDone(*tested.explorer));
    CHECK(sweepOf(tested).finding->result == first);
    CHECK(tested.fake->count(Call::Analysis) == runs);
}

TEST_CASE("an analysis that is stopped keeps what it knew, as partial")
{
    ExplorerUnderTest tested;
    tested.start();
    control::AnalysisRuns& analyses = tested.explorer->analyses();
    tested.fake->hold(Call::Analysis);
    analyses.start(service::AnalysisKind::Sweep);
    tested.fake->waitUntilHeld(Call::Analysis);
    REQUIRE(QTest::qWaitFor([&] { return sweepOf(tested).finding != nullptr; }));
    analyses.stop(service::AnalysisKind::Sweep);
    CHECK_FALSE(analyses.isRunning(service::AnalysisKind::Sweep));
    tested.fake->release(Call::Analysis);
    waitUntilIdle(*tested.explorer);
    REQUIRE(sweepOf(tested).finding);
    CHECK(sweepOf(tested).finding->isPartial);
    CHECK(control::ranking(*sweepOf(tested).finding->result).size() == 12);
    CHECK(analyses.kept().empty());
    // It runs when started again.
    analyses.start(service::AnalysisKind::Sweep);
    REQUIRE(isDone(*tested.explorer));
    CHECK_FALSE(sweepOf(tested).finding->isPartial);
}

TEST_CASE("a head can be ablated while a sweep is under way, which goes on and says that it is of before")
{
    ExplorerUnderTest tested;
    tested.start();
    control::AnalysisRuns& analyses = tested.explorer->analyses();
    tested.fake->hold(Call::Analysis);
    analyses.start(service::AnalysisKind::Sweep);
    tested.fake->waitUntilHeld(Call::Analysis);
    tested.explorer->toggleAblation(Side::Left, {{0, 1}});
    CHECK(sweepOf(tested).isRunning);
    tested.fake->release(Call::Analysis);
    REQUIRE(isDone(*tested.explorer));
    waitUntilIdle(*tested.explorer);
    CHECK(sweepOf(tested).isOutdated);
    CHECK_FALSE(sweepOf(tested).finding->isPartial);
    CHECK_FALSE(sweepOf(tested, Side::Right).isOutdated);
}

TEST_CASE("opening a model on one side leaves what runs on the other alone")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.fake->hold(Call::Analysis);
    tested.explorer->analyses().start(service::AnalysisKind::Sweep);
    tested.fake->waitUntilHeld(Call::Analysis);
    tested.explorer->openModel(Side::Right, QStringLiteral("fake:2x3"));
    CHECK(sweepOf(tested).isRunning);
    CHECK_FALSE(sweepOf(tested, Side::Right).isRunning);
    tested.fake->release(Call::Analysis);
    REQUIRE(isDone(*tested.explorer));
    waitUntilIdle(*tested.explorer);
    CHECK_FALSE(sweepOf(tested).finding->isPartial);
    CHECK_FALSE(sweepOf(tested).isOutdated);
}

TEST_CASE("what cannot be run is said before anything runs")
{
    ExplorerUnderTest tested;
    tested.start();
    control::AnalysisRuns& analyses = tested.explorer->analyses();
    analyses.start(service::AnalysisKind::Circuit);
    CHECK(analyses.state(service::AnalysisKind::Circuit, Side::Left)
              .problem.contains(QStringLiteral("corrupted prompt")));
    edit(*tested.explorer,
         [](control::Document& document) { document.target = QStringLiteral("Mary John"); });
    analyses.start(service::AnalysisKind::Sweep);
    CHECK_FALSE(sweepOf(tested).problem.isEmpty());
    waitUntilIdle(*tested.explorer);
    CHECK(tested.fake->count(Call::Analysis) == 0);
    // A problem disappears with its cause.
    edit(*tested.explorer, [](control::Document& document) { document.target = QStringLiteral("Mary"); });
    CHECK(sweepOf(tested).problem.isEmpty());
}

TEST_CASE("an error of an analysis is its panel's and leaves what was there")
{
    ExplorerUnderTest tested;
    tested.start();
    control::AnalysisRuns& analyses = tested.explorer->analyses();
    analyses.start(service::AnalysisKind::Sweep);
    REQUIRE(isDone(*tested.explorer));
    const auto before = sweepOf(tested).finding;
    edit(*tested.explorer,
         [](control::Document& document) { document.analyses.sweep.method = analyses::SweepMethod::Mean; });
    tested.fake->failNext(Call::Analysis, {ErrorCode::TooLarge, "It does not fit; shorten the prompt.", {}});
    analyses.start(service::AnalysisKind::Sweep);
    REQUIRE(isDone(*tested.explorer));
    const bool isLeft = !sweepOf(tested).problem.isEmpty();
    CHECK(sweepOf(tested, isLeft ? Side::Left : Side::Right).problem ==
          QStringLiteral("It does not fit; shorten the prompt."));
    CHECK(sweepOf(tested).finding);
    CHECK(tested.messages.empty());
}

TEST_CASE("results of a session are found again by what they depend on")
{
    std::vector<control::KeptResult> kept;
    {
        ExplorerUnderTest tested;
        tested.start();
        tested.explorer->analyses().start(service::AnalysisKind::Sweep);
        REQUIRE(isDone(*tested.explorer));
        kept = tested.explorer->analyses().kept();
        CHECK(kept.size() == 2);
    }
    ExplorerUnderTest tested;
    tested.start();
    control::AnalysisRuns& analyses = tested.explorer->analyses();
    analyses.restore(kept);
    REQUIRE(sweepOf(tested).finding);
    CHECK(sweepOf(tested).finding->result == kept.front().result);
    analyses.start(service::AnalysisKind::Sweep);
    CHECK(tested.fake->count(Call::Analysis) == 0);
    tested.setPrompt(QStringLiteral("Another one"));
    CHECK(sweepOf(tested).isOutdated);
}

TEST_CASE("models of one side alone are analysed, and none at all is said")
{
    ExplorerUnderTest tested;
    tested.explorer->analyses().start(service::AnalysisKind::Sweep);
    CHECK(sweepOf(tested).problem.contains(QStringLiteral("open one")));
    tested.start(QStringLiteral("fake:4x6"), QString());
    tested.explorer->analyses().start(service::AnalysisKind::Sweep);
    REQUIRE(isDone(*tested.explorer));
    CHECK(sweepOf(tested).finding);
    CHECK_FALSE(sweepOf(tested, Side::Right).finding);
    tested.explorer->analyses().setWatched(service::AnalysisKind::Compare, true);
    CHECK_FALSE(tested.explorer->analyses().isRunning(service::AnalysisKind::Compare));
}

TEST_CASE("heads rank by the size of what they do, and those that do nothing have no rank")
{
    analyses::Circuit circuit;
    circuit.shape = {1, 4, 4};
    circuit.units = {{{0, 2}, CellId{3, 1}, -0.9, 0},
                     {{0, 1}, CellId{3, 2}, 0.5, 0},
                     {{0, 2}, CellId{3, 2}, 0.4, 0},
                     {{0, 0}, CellId{2, 1}, 1e-7, 0},
                     {{0, 3}, CellId{2, 2}, 0, 0}};
    CHECK(control::ranking(circuit) == std::vector<control::RankedHead>{{{0, 2}, -0.9}, {{0, 1}, 0.5}});
    CHECK(control::ranking(stats::HeadScatter()).empty());
    circuit.smallest = 3;
    CHECK(control::chosenHeads(circuit, {}) == std::vector<HeadId>{{0, 2}, {0, 1}});
    circuit.refined = {1};
    CHECK(control::chosenHeads(circuit, {}) == std::vector<HeadId>{{0, 1}});
}

TEST_CASE("equal questions have equal keys, whatever does not matter to them")
{
    ExplorerUnderTest tested;
    tested.start();
    const control::OpenModels models = {tested.left().model, tested.right().model};
    control::Document document = tested.explorer->document();
    document.sides[0].graph.sources = {{features::GraphNode::Kind::Feature, 0, 1, 3}};
    document.sides[0].graph.targets = {{features::GraphNode::Kind::Logit, 0, 4, 5}};
    const auto keyWith = [&](service::AnalysisKind kind,
                             const std::function<void(control::Document&)>& change) {
        control::Document changed = document;
        change(changed);
        return service::keyOf(control::analysisRequest(changed, kind, Side::Left, models).value());
    };
    const auto nothing = [](control::Document&) {};
    const auto target = [](control::Document& d) { d.target = QStringLiteral("Mary"); };
    const auto corrupted = [](control::Document& d) { d.corrupted = QStringLiteral("Other words"); };
    const auto threshold = [](control::Document& d) { d.analyses.flowThreshold = 0.3; };
    const auto ablation = [](control::Document& d) {
        d.sides[0].ablations[{0, 0}] = engine::HeadAblation::Kind::Zero;
    };
    const auto coders = [](control::Document& d) { d.sides[0].graph.coders = QStringLiteral("elsewhere"); };
    const auto source = [](control::Document& d) { d.sides[0].graph.sources.front().index = 7; };
    const auto isSame = [&](service::AnalysisKind kind,
                            const std::function<void(control::Document&)>& change) {
        return keyWith(kind, nothing) == keyWith(kind, change);
    };
    CHECK_FALSE(isSame(service::AnalysisKind::Sweep, target));
    CHECK(isSame(service::AnalysisKind::Sweep, corrupted));
    CHECK_FALSE(isSame(service::AnalysisKind::Circuit, corrupted));
    CHECK(isSame(service::AnalysisKind::Attribution, corrupted));
    CHECK(isSame(service::AnalysisKind::Flow, target));
    CHECK_FALSE(isSame(service::AnalysisKind::Flow, threshold));
    CHECK(isSame(service::AnalysisKind::Compare, threshold));
    for (const service::AnalysisKind kind : service::kAnalyses)
        CHECK_FALSE(isSame(kind, ablation));
    CHECK_FALSE(isSame(service::AnalysisKind::Graph, coders));
    CHECK_FALSE(isSame(service::AnalysisKind::EdgeHeads, source));
    CHECK(isSame(service::AnalysisKind::Graph, source));
    CHECK(isSame(service::AnalysisKind::Sweep, coders));

    auto rounded = std::make_shared<service::OpenModel>(*tested.left().model);
    rounded->tf32 = true;
    const control::OpenModels faster = {rounded, tested.right().model};
    for (const service::AnalysisKind kind : service::kAnalyses)
        CHECK(service::keyOf(control::analysisRequest(document, kind, Side::Left, faster).value()) !=
              keyWith(kind, nothing));
}
