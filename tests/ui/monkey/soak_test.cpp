#include "base/system_memory.h"
#include "control/explorer/explorer.h"
#include "support/catch.h"
#include "ui/monkey/stage.h"

#include <QUndoStack>

#include <cstdio>
#include <random>

using namespace hs;
using namespace hs::test;

namespace {

constexpr int kWarmUp = 400;  // runs, after which every cache is full
constexpr int kRuns = 2000;
constexpr double kMostGrowth = 32;  // MB

double megabytesInUse()
{
    return static_cast<double>(residentMemory().value_or(0)) / 1e6;
}

/// A user's day as a sequence of edits, each of which runs a model: prompts, ablations, other models.
class Day {
public:
    explicit Day(control::Explorer& explorer) : m_explorer(explorer) {}

    void next()
    {
        const Side side = kSides[m_random() % 2];
        const unsigned kind = m_random() % 20;
        if (kind == 0)
            m_explorer.openModel(side, Stage::models()[static_cast<int>(m_random() % 7)]);
        else if (kind < 6)
            m_explorer.edit(QStringLiteral("prompt"),
                            [this](control::Document& document) { changePrompt(document); });
        else if (const auto& model = m_explorer.state(side).model)
            m_explorer.toggleAblation(side, {model->heads.at(static_cast<int>(
                                                m_random() % static_cast<unsigned>(model->heads.total())))});
    }

private:
    void changePrompt(control::Document& document)
    {
        static const QStringList names = {QStringLiteral("Mary"), QStringLiteral("John"),
                                          QStringLiteral("Tom"), QStringLiteral("Lucy"),
                                          QStringLiteral("Anna")};
        const auto name = [&] { return names[static_cast<int>(m_random() % 5)]; };
        QString prompt = QStringLiteral("When %1 and %2 went to the store , %3 gave a drink to")
                             .arg(name(), name(), name());
        for (unsigned more = m_random() % 4; more > 0; --more)
            prompt += QStringLiteral(" %1 and").arg(name());
        control::setPrompt(document, prompt);
    }

    control::Explorer& m_explorer;
    std::mt19937 m_random{20};
};

}  // namespace

TEST_CASE("2,000 runs take no more memory than the first few hundred", "[.][long]")
{
    Stage stage;
    control::Explorer& explorer = stage.explorer();
    const auto isAtRest = [&] { return stage.isAtRest(); };
    REQUIRE(Stage::waitFor(isAtRest));
    const double start = megabytesInUse();
    double warm = 0;
    int runs = 0;
    std::array<std::shared_ptr<const control::SideRun>, 2> last;
    Day day(explorer);
    while (runs < kRuns) {
        day.next();
        REQUIRE(Stage::waitFor(isAtRest));
        for (const Side side : kSides)
            if (const auto& run = explorer.state(side).run; run != last[indexOf(side)]) {
                last[indexOf(side)] = run;
                ++runs;
            }
        if (runs <= kWarmUp)
            warm = megabytesInUse();
    }
    const double end = megabytesInUse();
    std::printf("figure: soak runs %d start %.0f MB warm %.0f MB end %.0f MB\n", runs, start, warm, end);
    CHECK(end - warm < kMostGrowth);
}
