// Doing by hand in the window what an analysis does gives the numbers that it shows.
#include "control/analyses/analysis_runs.h"
#include "service/engine_backend.h"
#include "support/catch.h"
#include "support/models.h"
#include "ui/explorer_under_test.h"

#include <QTest>

using namespace hs;
using namespace hs::test;

namespace {

const QString kClean = QStringLiteral("When Mary and John went to the store , John gave a drink to");
const QString kCorrupted = QStringLiteral("When Mary and John went to the store , Mary gave a drink to");
constexpr double kClose = 1e-4;

/// In float32, whatever the machine has: the pair's float16 would differ in the third digit on a GPU.
control::Preferences onTheProcessor()
{
    control::Preferences preferences;
    preferences.device = "cpu";
    return preferences;
}

/// An Explorer on the demo pair with a question to answer.
struct Study {
    Study() : explorer(std::make_unique<service::EngineBackend>(), onTheProcessor())
    {
        control::Document document;
        control::setPrompt(document, kClean);
        document.corrupted = kCorrupted;
        document.target = QStringLiteral("Mary");
        document.distractor = QStringLiteral("John");
        document.sides[0].model = QStringLiteral(HS_SOURCE_DIR "/resources/models/demo-dense");
        document.sides[1].model = QStringLiteral(HS_SOURCE_DIR "/resources/models/demo-sparse");
        explorer.reset(document);
        waitUntilIdle(explorer);
    }

    void edit(const std::function<void(control::Document&)>& change)
    {
        explorer.edit(QStringLiteral("edit"), change);
        waitUntilIdle(explorer);
    }

    const service::AnalysisResult& found(service::AnalysisKind kind, Side side)
    {
        explorer.analyses().start(kind);
        REQUIRE(QTest::qWaitFor([&] { return !explorer.analyses().isRunning(kind); }, 60000));
        const control::AnalysisState& state = explorer.analyses().state(kind, side);
        INFO(state.problem.toStdString());
        REQUIRE(state.finding);
        REQUIRE_FALSE(state.finding->isPartial);
        REQUIRE_FALSE(state.isOutdated);
        return *state.finding->result;
    }

    /// The logit difference that a side shows with these heads ablated by hand.
    double shown(Side side, const std::vector<HeadId>& heads, engine::HeadAblation::Kind kind)
    {
        edit([&](control::Document& document) {
            document.side(side).ablations.clear();
            for (const HeadId head : heads)
                document.side(side).ablations[head] = kind;
        });
        const control::SideState& state = explorer.state(side);
        INFO(state.problem.toStdString());
        REQUIRE(state.problem.isEmpty());
        return state.run->target.after.logit - state.run->distractor.after.logit;
    }

    control::Explorer explorer;
};

/// Heads worth trying: the best, one in the middle, the last.
std::vector<std::size_t> some(std::size_t count)
{
    return {0, 1, count / 2, count - 1};
}

}  // namespace

TEST_CASE("ablating a head by hand changes the logits as the sweep says", "[by hand]")
{
    Study study;
    const auto method =
        GENERATE(analyses::SweepMethod::Zero, analyses::SweepMethod::Mean, analyses::SweepMethod::Resample);
    const auto kind = method == analyses::SweepMethod::Zero   ? engine::HeadAblation::Kind::Zero
                      : method == analyses::SweepMethod::Mean ? engine::HeadAblation::Kind::Mean
                                                              : engine::HeadAblation::Kind::Replace;
    for (const Side side : kSides) {
        study.edit([&](control::Document& document) {
            document.analyses.sweep.method = method;
            document.side(side).ablations.clear();
        });
        const service::AnalysisResult result = study.found(service::AnalysisKind::Sweep, side);
        const double baseline = std::get<analyses::Sweep>(result).baseline.logitDifference;
        CHECK(study.shown(side, {}, kind) == Approx(baseline).margin(kClose));
        const std::vector<control::RankedHead> ranked = control::ranking(result);
        for (const std::size_t rank : some(ranked.size()))
            CHECK(study.shown(side, {ranked[rank].head}, kind) - baseline ==
                  Approx(ranked[rank].value).margin(kClose));
    }
}

TEST_CASE("patching by hand gives what the circuit says of single heads and of its smallest set", "[by hand]")
{
    Study study;
    for (const Side side : kSides) {
        study.edit([&](control::Document& document) { document.side(side).ablations.clear(); });
        const analyses::Circuit circuit =
            std::get<analyses::Circuit>(study.found(service::AnalysisKind::Circuit, side));
        const double way = circuit.clean - circuit.corrupted;
        const auto patched = [&](const std::vector<HeadId>& heads) {
            return study.shown(side, heads, engine::HeadAblation::Kind::Replace);
        };
        for (const std::size_t rank : some(circuit.units.size())) {
            const analyses::CircuitUnit& unit = circuit.units[rank];
            CHECK(circuit.clean - patched({unit.head}) == Approx(unit.removal * way).margin(kClose));
        }
        std::vector<HeadId> others;
        for (std::size_t rank = static_cast<std::size_t>(circuit.smallest); rank < circuit.units.size();
             ++rank)
            others.push_back(circuit.units[rank].head);
        const auto point = std::ranges::find(circuit.curve, circuit.smallest, &analyses::CircuitPoint::kept);
        REQUIRE(point != circuit.curve.end());
        CHECK(patched(others) - circuit.none ==
              Approx(point->effect * (circuit.clean - circuit.none)).margin(kClose));
        for (const analyses::CircuitUnit& unit : circuit.units)
            if (std::ranges::find(others, unit.head) == others.end())
                others.push_back(unit.head);
        CHECK(patched(others) == Approx(circuit.none).margin(kClose));

        // The other way round: the corrupted prompt with one clean head.
        study.edit([&](control::Document& document) {
            document.side(side).ablations.clear();
            const QString clean = document.prompt().text;
            control::setPrompt(document, document.corrupted);
            document.corrupted = clean;
        });
        for (const std::size_t rank : some(circuit.units.size())) {
            const analyses::CircuitUnit& unit = circuit.units[rank];
            CHECK(patched({unit.head}) - circuit.corrupted == Approx(unit.effect * way).margin(kClose));
        }
        study.edit([&](control::Document& document) {
            document.side(side).ablations.clear();
            const QString clean = document.prompt().text;
            control::setPrompt(document, document.corrupted);
            document.corrupted = clean;
        });
    }
}

TEST_CASE("heads are patched from a prompt that is there and as long, or the run says what to do",
          "[by hand]")
{
    Study study;
    study.edit([](control::Document& document) {
        document.side(Side::Left).ablations[{0, 0}] = engine::HeadAblation::Kind::Replace;
        document.corrupted.clear();
    });
    CHECK(study.explorer.state(Side::Left).problem.contains(QStringLiteral("no corrupted prompt")));
    study.edit([](control::Document& document) { document.corrupted = QStringLiteral("Mary"); });
    CHECK(study.explorer.state(Side::Left).problem.contains(QStringLiteral("same number")));
    study.edit([](control::Document& document) { document.corrupted = kCorrupted; });
    CHECK(study.explorer.state(Side::Left).problem.isEmpty());
}
