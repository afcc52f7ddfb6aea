#include "control/analysis_runs.h"

#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

namespace {

bool isDone(Explorer& explorer)
{
    return QTest::qWaitFor([&] {
        return std::ranges::none_of(kAnalyses,
                                    [&](AnalysisKind kind) { return explorer.analyses().isRunning(kind); });
    });
}

void edit(Explorer& explorer, const std::function<void(Document&)>& change)
{
    explorer.edit(QStringLiteral("edit"), change);
}

const AnalysisState& sweepOf(const ExplorerUnderTest& tested, Side side = Side::Left)
{
    return tested.explorer->analyses().state(AnalysisKind::Sweep, side);
}

}  // namespace

TEST_CASE("a sweep runs when it is started, on both sides, and never by itself")
{
    ExplorerUnderTest tested;
    tested.start();
    AnalysisRuns& analyses = tested.explorer->analyses();
    analyses.setWatched(AnalysisKind::Sweep, true);
    waitUntilIdle(*tested.explorer);
    CHECK(tested.fake->count(Call::Analysis) == 0);
    analyses.start(AnalysisKind::Sweep);
    CHECK(sweepOf(tested).isRunning);
    REQUIRE(isDone(*tested.explorer));
    CHECK(tested.fake->count(Call::Analysis) == 2);
    for (const Side side : kSides) {
        const AnalysisState& state = sweepOf(tested, side);
        REQUIRE(state.finding);
        CHECK_FALSE(state.finding->isPartial);
        CHECK_FALSE(state.isOutdated);
        CHECK(std::get<Sweep>(*state.finding->result).units.size() == 24);
    }
    CHECK_FALSE(tested.fake->wasCalledAtHome());
}

TEST_CASE("live analyses follow the document while somebody watches, and only then")
{
    ExplorerUnderTest tested;
    tested.start();
    AnalysisRuns& analyses = tested.explorer->analyses();
    tested.setPrompt(QStringLiteral("After Anna left"));
    waitUntilIdle(*tested.explorer);
    CHECK(tested.fake->count(Call::Analysis) == 0);
    for (const AnalysisKind kind :
         {AnalysisKind::Attribution, AnalysisKind::Scatter, AnalysisKind::Compare, AnalysisKind::Flow}) {
        analyses.setWatched(kind, true);
        REQUIRE(isDone(*tested.explorer));
        const auto first = analyses.state(kind, Side::Left).finding;
        REQUIRE(first);
        const QString other = tested.explorer->document().prompt + QStringLiteral(" and");
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
    AnalysisRuns& analyses = tested.explorer->analyses();
    const int one = 0, other = 0;
    analyses.setWatched(AnalysisKind::Flow, true, &one);
    analyses.setWatched(AnalysisKind::Flow, true, &other);
    analyses.setWatched(AnalysisKind::Flow, false, &one);
    tested.setPrompt(QStringLiteral("After Anna left"));
    waitUntilIdle(*tested.explorer);
    REQUIRE(isDone(*tested.explorer));
    CHECK_FALSE(analyses.state(AnalysisKind::Flow, Side::Left).isOutdated);
    analyses.setWatched(AnalysisKind::Flow, false, &other);
    tested.setPrompt(QStringLiteral("After Anna came"));
    waitUntilIdle(*tested.explorer);
    CHECK(analyses.state(AnalysisKind::Flow, Side::Left).isOutdated);
}

TEST_CASE("what was found once is shown again without a run")
{
    ExplorerUnderTest tested;
    tested.start();
    AnalysisRuns& analyses = tested.explorer->analyses();
    analyses.start(AnalysisKind::Sweep);
    REQUIRE(isDone(*tested.explorer));
    const auto first = sweepOf(tested).finding->result;
    const int runs = tested.fake->count(Call::Analysis);
    edit(*tested.explorer, [](Document& document) { document.analyses.sweep.method = SweepMethod::Mean; });
    CHECK(sweepOf(tested).isOutdated);
    CHECK(sweepOf(tested).finding->result == first);
    tested.explorer->history().undo();
    CHECK_FALSE(sweepOf(tested).isOutdated);
    analyses.start(AnalysisKind::Sweep);
    REQUIRE(isDone(*tested.explorer));
    CHECK(sweepOf(tested).finding->result == first);
    CHECK(tested.fake->count(Call::Analysis) == runs);
}

TEST_CASE("an analysis that is stopped keeps what it knew, as partial")
{
    ExplorerUnderTest tested;
    tested.start();
    AnalysisRuns& analyses = tested.explorer->analyses();
    tested.fake->hold(Call::Analysis);
    analyses.start(AnalysisKind::Sweep);
    tested.fake->waitUntilHeld(Call::Analysis);
    REQUIRE(QTest::qWaitFor([&] { return sweepOf(tested).finding != nullptr; }));
    analyses.stop(AnalysisKind::Sweep);
    CHECK_FALSE(analyses.isRunning(AnalysisKind::Sweep));
    tested.fake->release(Call::Analysis);
    waitUntilIdle(*tested.explorer);
    REQUIRE(sweepOf(tested).finding);
    CHECK(sweepOf(tested).finding->isPartial);
    CHECK(ranking(*sweepOf(tested).finding->result).size() == 12);
    CHECK(analyses.kept().empty());
    // Started again, it runs.
    analyses.start(AnalysisKind::Sweep);
    REQUIRE(isDone(*tested.explorer));
    CHECK_FALSE(sweepOf(tested).finding->isPartial);
}

TEST_CASE("a head can be ablated while a sweep is under way, which goes on and says that it is of before")
{
    ExplorerUnderTest tested;
    tested.start();
    AnalysisRuns& analyses = tested.explorer->analyses();
    tested.fake->hold(Call::Analysis);
    analyses.start(AnalysisKind::Sweep);
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
    tested.explorer->analyses().start(AnalysisKind::Sweep);
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
    AnalysisRuns& analyses = tested.explorer->analyses();
    analyses.start(AnalysisKind::Circuit);
    CHECK(analyses.state(AnalysisKind::Circuit, Side::Left)
              .problem.contains(QStringLiteral("corrupted prompt")));
    edit(*tested.explorer, [](Document& document) { document.target = QStringLiteral("Mary John"); });
    analyses.start(AnalysisKind::Sweep);
    CHECK_FALSE(sweepOf(tested).problem.isEmpty());
    waitUntilIdle(*tested.explorer);
    CHECK(tested.fake->count(Call::Analysis) == 0);
    // A problem goes with its cause.
    edit(*tested.explorer, [](Document& document) { document.target = QStringLiteral("Mary"); });
    CHECK(sweepOf(tested).problem.isEmpty());
}

TEST_CASE("an error of an analysis is its panel's and leaves what was there")
{
    ExplorerUnderTest tested;
    tested.start();
    AnalysisRuns& analyses = tested.explorer->analyses();
    analyses.start(AnalysisKind::Sweep);
    REQUIRE(isDone(*tested.explorer));
    const auto before = sweepOf(tested).finding;
    edit(*tested.explorer, [](Document& document) { document.analyses.sweep.method = SweepMethod::Mean; });
    tested.fake->failNext(Call::Analysis, {ErrorCode::TooLarge, "It does not fit; shorten the prompt.", {}});
    analyses.start(AnalysisKind::Sweep);
    REQUIRE(isDone(*tested.explorer));
    const bool isLeft = !sweepOf(tested).problem.isEmpty();
    CHECK(sweepOf(tested, isLeft ? Side::Left : Side::Right).problem ==
          QStringLiteral("It does not fit; shorten the prompt."));
    CHECK(sweepOf(tested).finding);
    CHECK(tested.messages.empty());
}

TEST_CASE("results of a session are found again by what they depend on")
{
    std::vector<KeptResult> kept;
    {
        ExplorerUnderTest tested;
        tested.start();
        tested.explorer->analyses().start(AnalysisKind::Sweep);
        REQUIRE(isDone(*tested.explorer));
        kept = tested.explorer->analyses().kept();
        CHECK(kept.size() == 2);
    }
    ExplorerUnderTest tested;
    tested.start();
    AnalysisRuns& analyses = tested.explorer->analyses();
    analyses.restore(kept);
    REQUIRE(sweepOf(tested).finding);
    CHECK(sweepOf(tested).finding->result == kept.front().result);
    analyses.start(AnalysisKind::Sweep);
    CHECK(tested.fake->count(Call::Analysis) == 0);
    tested.setPrompt(QStringLiteral("Another one"));
    CHECK(sweepOf(tested).isOutdated);
}

TEST_CASE("models of one side alone are analysed, and none at all is said")
{
    ExplorerUnderTest tested;
    tested.explorer->analyses().start(AnalysisKind::Sweep);
    CHECK(sweepOf(tested).problem.contains(QStringLiteral("open one")));
    tested.start(QStringLiteral("fake:4x6"), QString());
    tested.explorer->analyses().start(AnalysisKind::Sweep);
    REQUIRE(isDone(*tested.explorer));
    CHECK(sweepOf(tested).finding);
    CHECK_FALSE(sweepOf(tested, Side::Right).finding);
    tested.explorer->analyses().setWatched(AnalysisKind::Compare, true);
    CHECK_FALSE(tested.explorer->analyses().isRunning(AnalysisKind::Compare));
}

TEST_CASE("heads rank by the size of what they do, and those that do nothing have no rank")
{
    Circuit circuit;
    circuit.shape = {1, 4, 4};
    circuit.units = {{{0, 2}, CellId{3, 1}, -0.9, 0},
                     {{0, 1}, CellId{3, 2}, 0.5, 0},
                     {{0, 2}, CellId{3, 2}, 0.4, 0},
                     {{0, 0}, CellId{2, 1}, 1e-7, 0},
                     {{0, 3}, CellId{2, 2}, 0, 0}};
    CHECK(ranking(circuit) == std::vector<RankedHead>{{{0, 2}, -0.9}, {{0, 1}, 0.5}});
    CHECK(ranking(HeadScatter()).empty());
    circuit.smallest = 3;
    CHECK(chosenHeads(circuit, {}) == std::vector<HeadId>{{0, 2}, {0, 1}});
    circuit.refined = {1};
    CHECK(chosenHeads(circuit, {}) == std::vector<HeadId>{{0, 1}});
}

TEST_CASE("equal questions have equal keys, whatever does not matter to them")
{
    ExplorerUnderTest tested;
    tested.start();
    const OpenModels models = {tested.left().model, tested.right().model};
    const Document document = tested.explorer->document();
    const auto keyWith = [&](AnalysisKind kind, const std::function<void(Document&)>& change) {
        Document changed = document;
        change(changed);
        return keyOf(analysisRequest(changed, kind, Side::Left, models).value());
    };
    const auto nothing = [](Document&) {};
    const auto target = [](Document& d) { d.target = QStringLiteral("Mary"); };
    const auto corrupted = [](Document& d) { d.corrupted = QStringLiteral("Other words"); };
    const auto threshold = [](Document& d) { d.analyses.flowThreshold = 0.3; };
    const auto ablation = [](Document& d) { d.sides[0].ablations[{0, 0}] = HeadAblation::Kind::Zero; };
    const auto isSame = [&](AnalysisKind kind, const std::function<void(Document&)>& change) {
        return keyWith(kind, nothing) == keyWith(kind, change);
    };
    CHECK_FALSE(isSame(AnalysisKind::Sweep, target));
    CHECK(isSame(AnalysisKind::Sweep, corrupted));
    CHECK_FALSE(isSame(AnalysisKind::Circuit, corrupted));
    CHECK(isSame(AnalysisKind::Attribution, corrupted));
    CHECK(isSame(AnalysisKind::Flow, target));
    CHECK_FALSE(isSame(AnalysisKind::Flow, threshold));
    CHECK(isSame(AnalysisKind::Compare, threshold));
    for (const AnalysisKind kind : kAnalyses)
        CHECK_FALSE(isSame(kind, ablation));

    auto rounded = std::make_shared<OpenModel>(*tested.left().model);
    rounded->tf32 = true;
    const OpenModels faster = {rounded, tested.right().model};
    for (const AnalysisKind kind : kAnalyses)
        CHECK(keyOf(analysisRequest(document, kind, Side::Left, faster).value()) != keyWith(kind, nothing));
}
