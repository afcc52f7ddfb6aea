#include "control/explorer/side_runs.h"

#include "control/work/worker.h"
#include "support/catch.h"
#include "ui/fake_backend.h"

#include <QSignalSpy>
#include <QTest>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

namespace {

/// Runs of made-up models, driven as the Explorer drives them.
class RunsUnderTest {
public:
    RunsUnderTest() { control::setPrompt(document, QStringLiteral("one two three")); }

    void follow()
    {
        const control::SideRuns::Runs shown = runs.runs();
        runs.open({service::OpenRequest{document.sides[0].model.toStdString(), device},
                   service::OpenRequest{document.sides[1].model.toStdString(), device}});
        const auto known =
            [&](const service::SideRequest& request) -> std::shared_ptr<const control::SideRun> {
            const auto same =
                std::ranges::find_if(shown, [&](const auto& run) { return run && run->request == request; });
            return same != shown.end() ? *same : nullptr;
        };
        for (const Side side : kSides)
            runs.run(side, document, known);
    }
    /// Processes what arrives until both sides show what is wanted.
    void settle()
    {
        const auto isAtRest = [&](Side side) {
            return !runs.state(side).isLoading && !runs.state(side).isStale;
        };
        const auto connection =
            QObject::connect(&runs, &control::SideRuns::arrived, &runs, [this] { follow(); });
        follow();
        REQUIRE(QTest::qWaitFor(
            [&] { return !worker.activity().isBusy && isAtRest(Side::Left) && isAtRest(Side::Right); }));
        QObject::disconnect(connection);
    }
    void start(const QString& left, const QString& right)
    {
        document.side(Side::Left).model = left;
        document.side(Side::Right).model = right;
        settle();
    }

    FakeBackend* fake = new FakeBackend;
    control::Worker worker{std::unique_ptr<service::Backend>(fake)};
    control::SideRuns runs{worker, 0};
    control::Document document;
    std::string device = "auto";
};

}  // namespace

TEST_CASE("a side that closes hands its model and its run over to the one that wants them")
{
    RunsUnderTest test;
    test.start(QStringLiteral("fake:4x6"), {});
    const auto run = test.runs.state(Side::Left).run;
    REQUIRE(run);
    std::swap(test.document.sides[0], test.document.sides[1]);
    test.follow();
    CHECK(test.runs.state(Side::Left) == control::SideState{});
    CHECK(test.runs.state(Side::Right).run == run);
    CHECK(test.fake->count(Call::Open) == 1);
    CHECK(test.fake->count(Call::Run) == 1);
}

TEST_CASE("a model is handed out only while it is the wanted one, and shown with its first run")
{
    RunsUnderTest test;
    test.start(QStringLiteral("fake:4x6"), {});
    const auto first = test.runs.model(Side::Left);
    CHECK(first == test.runs.state(Side::Left).model);
    test.document.side(Side::Left).model = QStringLiteral("fake:2x3");
    test.follow();
    CHECK_FALSE(test.runs.model(Side::Left));
    CHECK(test.runs.state(Side::Left).model == first);
    QSignalSpy arrived(&test.runs, &control::SideRuns::arrived);
    REQUIRE(arrived.wait());
    REQUIRE(test.runs.model(Side::Left));
    CHECK(test.runs.model(Side::Left)->heads.layers == 2);
    CHECK(test.runs.state(Side::Left).model == first);
    test.settle();
    CHECK(test.runs.state(Side::Left).model == test.runs.model(Side::Left));
}

TEST_CASE("what was asked for is not asked for again until it is run again or tried again")
{
    RunsUnderTest test;
    test.start(QStringLiteral("fake:4x6"), QStringLiteral("missing"));
    const int opens = test.fake->count(Call::Open);
    const int runs = test.fake->count(Call::Run);
    test.settle();
    CHECK(test.fake->count(Call::Open) == opens);
    CHECK(test.fake->count(Call::Run) == runs);
    test.runs.retry(Side::Left);  // which is open
    test.runs.retry(Side::Right);
    test.settle();
    CHECK(test.fake->count(Call::Open) == opens + 1);
    test.runs.rerun();
    test.settle();
    CHECK(test.fake->count(Call::Open) == opens + 2);
    CHECK(test.fake->count(Call::Run) == runs + 1);
}

TEST_CASE("when a GPU is lost, both models are opened again and the run is made, with one message")
{
    RunsUnderTest test;
    test.start(QStringLiteral("fake:4x6"), QStringLiteral("fake:2x3"));
    std::vector<std::string> told;
    QObject::connect(&test.runs, &control::SideRuns::failed, &test.runs,
                     [&](const Error& error) { told.push_back(error.message); });
    test.fake->failNext(Call::Run, {ErrorCode::DeviceLost, "The GPU is gone; start again.", {}});
    test.document.side(Side::Left).ablations[{1, 2}] = engine::HeadAblation::Kind::Zero;
    test.settle();
    CHECK(told == std::vector<std::string>{"The GPU is gone; start again."});
    CHECK(test.fake->count(Call::Open) == 4);
    for (const Side side : kSides) {
        const control::SideState& state = test.runs.state(side);
        CHECK(state.problem.isEmpty());
        REQUIRE(state.run);
        CHECK(state.run->request.model == test.runs.model(side));
        CHECK(state.run->request.ablations == test.document.side(side).ablations);
    }
}

TEST_CASE("a GPU that is lost while a model is opened is done without, unless it was named")
{
    RunsUnderTest test;
    test.fake->failNext(Call::Open, {ErrorCode::DeviceLost, "The GPU is gone; start again.", {}});
    test.start(QStringLiteral("fake:4x6"), {});
    CHECK(test.fake->count(Call::Open) == 2);
    CHECK(test.runs.state(Side::Left).run);

    RunsUnderTest named;
    named.device = "cuda:0";
    named.fake->failNext(Call::Open, {ErrorCode::DeviceLost, "The GPU is gone; start again.", {}});
    named.start(QStringLiteral("fake:4x6"), {});
    CHECK(named.fake->count(Call::Open) == 1);
    CHECK(named.runs.state(Side::Left).problem == QStringLiteral("The GPU is gone; start again."));
}
