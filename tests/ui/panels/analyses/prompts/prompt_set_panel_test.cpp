#include "panels/analyses/prompts/prompt_set_panel.h"

#include "control/work/late_work.h"
#include "control/work/set_words.h"
#include "panels/analyses/prompts/prompt_set_edits.h"
#include "support/catch.h"
#include "support/temp_dir.h"
#include "ui/panels/analyses/analysis_stage.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>

using namespace hs;
using namespace hs::test;
using panels::PromptRows;

namespace {

struct PromptSetScene : AnalysisScene<panels::PromptSetPanel> {
    explicit PromptSetScene(const PanelStage::Setup& setup = {})
        : AnalysisScene(service::AnalysisKind::Prompts, setup)
    {
    }

    QTableView& table() { return child<QTableView>(panel, "promptSetTable"); }
    QString cell(int row, int column) { return table().model()->index(row, column).data().toString(); }
    void open(const std::string& content, const std::string& name = "set.txt")
    {
        panels::openPromptSet(explorer(), QString::fromStdString(folder.write(name, content).string()));
        waitUntilDone();
        waitUntilRead();
    }
    void waitUntilRead()
    {
        if (!QTest::qWaitFor([&] { return control::LateWork::isDoneIn(panel); }))
            throw std::runtime_error("the set was not read");
    }
    void pick(const char* name, int index)
    {
        auto& combo = child<QComboBox>(panel, name);
        combo.setCurrentIndex(index);
        Q_EMIT combo.activated(index);
    }
    void press(int key)
    {
        QTest::keyClick(&table(), static_cast<Qt::Key>(key));
        stage.settle();
    }
    void click(int row)
    {
        const QRect place = table().visualRect(table().model()->index(row, PromptRows::Prompt));
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, place.center());
        stage.settle();
    }

    TempDir folder;
};

const std::string kFour = "Mary gave a drink\nJohn gave a book\nMary went home\nJohn went to the store\n";

}  // namespace

TEST_CASE("a set opens as a list of its prompts with each one's loss and answer in both models")
{
    PromptSetScene scene;
    CHECK(child<QLabel>(scene.panel, "analysisEmpty").isVisible());
    scene.open(kFour);
    REQUIRE(scene.panel.shownCount() == 4);
    CHECK(scene.cell(1, PromptRows::Number) == QStringLiteral("2"));
    CHECK(scene.cell(1, PromptRows::Prompt) == QStringLiteral("John gave a book"));
    CHECK(scene.cell(1, PromptRows::LeftLoss) == QStringLiteral("3.75"));
    CHECK(scene.cell(1, PromptRows::RightLoss) == QStringLiteral("4.25"));
    CHECK(scene.cell(1, PromptRows::Difference) == QStringLiteral("+0.50"));
    CHECK(scene.cell(3, PromptRows::LeftAnswer).contains(QStringLiteral("Mary")));
    CHECK(scene.cell(3, PromptRows::RightAnswer).contains(QStringLiteral("John")));
    CHECK(scene.summary().startsWith(QStringLiteral("Mean loss: 4x6 ")));

    panels::openPromptSet(scene.explorer(), {});
    scene.waitUntilRead();
    CHECK(scene.panel.shownCount() == 0);
    scene.explorer().history().undo();
    scene.waitUntilRead();
    CHECK(scene.panel.shownCount() == 4);
}

TEST_CASE("the list is sorted by any column and shows the prompts that match")
{
    PromptSetScene scene;
    scene.open(kFour);
    scene.table().sortByColumn(PromptRows::LeftLoss, Qt::DescendingOrder);
    for (int row = 1; row < 4; ++row)
        CHECK(scene.cell(row - 1, PromptRows::LeftLoss).toDouble() >=
              scene.cell(row, PromptRows::LeftLoss).toDouble());
    child<QLineEdit>(scene.panel, "setFilter").setText(QStringLiteral("WENT"));
    CHECK(scene.panel.shownCount() == 2);
    child<QLineEdit>(scene.panel, "setFilter").clear();
    child<QCheckBox>(scene.panel, "setDifferent").setChecked(true);
    REQUIRE(scene.panel.shownCount() == 2);
    CHECK(scene.panel.indexAt(0) % 3 == 0);
    CHECK(scene.panel.indexAt(1) % 3 == 0);
}

TEST_CASE("going through the list changes the prompt, both grids follow, and it is one step of the history")
{
    PromptSetScene scene;
    scene.open(kFour);
    const QString before = scene.document().prompt().text;
    const int steps = scene.steps();
    scene.click(0);
    CHECK(scene.document().prompt().text == QStringLiteral("Mary gave a drink"));
    scene.press(Qt::Key_Down);
    scene.press(Qt::Key_Down);
    CHECK(scene.document().prompt().text == QStringLiteral("Mary went home"));
    CHECK(scene.document().set.index == 2);
    for (const Side side : kSides)
        CHECK(scene.explorer().state(side).run->request.prompt == "Mary went home");
    scene.press(Qt::Key_Up);
    CHECK(scene.document().set.index == 1);
    CHECK(scene.steps() == steps + 1);
    scene.explorer().history().undo();
    scene.stage.settle();
    CHECK(scene.document().prompt().text == before);
    CHECK_FALSE(scene.document().set.index);
    CHECK_FALSE(scene.table().currentIndex().isValid());

    scene.click(3);
    scene.explorer().edit(QStringLiteral("type"), [](control::Document& document) {
        control::setPrompt(document, QStringLiteral("another prompt"));
    });
    CHECK_FALSE(scene.document().set.index);
    CHECK_FALSE(scene.table().currentIndex().isValid());
}

TEST_CASE("a pair of the set brings its question: target, distractor and corrupted prompt")
{
    PromptSetScene scene;
    scene.open("{\"clean\": \"Mary gave\", \"corrupted\": \"John gave\", \"target\": \" Mary\", "
               "\"versus\": \" John\"}\n",
               "pairs.jsonl");
    scene.click(0);
    CHECK(scene.document().prompt().text == QStringLiteral("Mary gave"));
    CHECK(scene.document().corrupted == QStringLiteral("John gave"));
    CHECK(scene.document().target == QStringLiteral(" Mary"));
    CHECK(scene.document().distractor == QStringLiteral(" John"));
}

TEST_CASE("tiles show the set's averages, named as such, until a prompt is chosen, and undo brings them back")
{
    PromptSetScene scene;
    scene.open(kFour);
    CHECK_FALSE(scene.explorer().state(Side::Left).run->set);
    scene.pick("setShows", 1);
    scene.stage.settle();
    for (const Side side : kSides) {
        const auto& run = scene.explorer().state(side).run;
        REQUIRE(run->set);
        CHECK(control::setWords(*run) == QStringLiteral("mean of 4 prompts"));
    }
    scene.pick("setShows", 3);
    scene.stage.settle();
    CHECK(control::setWords(*scene.explorer().state(Side::Right).run) ==
          QStringLiteral("deviation over 4 prompts"));
    CHECK_FALSE(scene.explorer().whyNotPossible(engine::MapKind::Scores).isEmpty());
    scene.pick("setAlign", 2);
    CHECK(scene.document().set.align == analyses::SetAlign::End);
    scene.stage.settle();
    scene.click(1);
    CHECK_FALSE(scene.document().set.average);
    CHECK_FALSE(scene.explorer().state(Side::Left).run->set);
    scene.explorer().history().undo();
    scene.stage.settle();
    CHECK(scene.document().set.average == analyses::SetAverage::Deviation);
    CHECK(scene.explorer().state(Side::Left).run->set);
}

TEST_CASE("an average that is stopped shows the prompts so far and says how many, and goes on when run again")
{
    PromptSetScene scene;
    scene.open(kFour);
    scene.stage.backend().tellParts(4);
    scene.stage.backend().hold(FakeBackend::Call::Run);
    scene.pick("setShows", 1);
    REQUIRE(QTest::qWaitFor([&] {
        const auto& part = scene.explorer().state(Side::Left).part;
        return part && part->set;
    }));
    scene.explorer().cancel();
    const control::SideState& left = scene.explorer().state(Side::Left);
    REQUIRE(left.run->set);
    CHECK(left.run->set->done == 2);
    CHECK(left.run->request.view->isPartial);
    CHECK(control::setWords(*left.run) == QStringLiteral("mean of 2 of 4 prompts"));
    CHECK(left.problem.contains(QStringLiteral("2 of 4 prompts")));
    scene.stage.backend().release(FakeBackend::Call::Run);
    scene.explorer().rerun();
    scene.stage.settle();
    CHECK(scene.explorer().state(Side::Left).run->set->done == 4);
    CHECK(scene.explorer().state(Side::Left).problem.isEmpty());
}

TEST_CASE("faulty lines are named by their number, and the rest is done")
{
    PromptSetScene scene;
    scene.open("name,thing\nMary,drink\nJohn\nJohn,book\n", "set.csv");
    auto& pattern = child<QLineEdit>(scene.panel, "setTemplate");
    pattern.setText(QStringLiteral("{name} gave a {thing}"));
    Q_EMIT pattern.editingFinished();
    scene.waitUntilRead();
    scene.run();
    REQUIRE(scene.panel.shownCount() == 3);
    CHECK(scene.cell(0, PromptRows::Prompt) == QStringLiteral("Mary gave a drink"));
    CHECK(scene.cell(1, PromptRows::Prompt).contains(QStringLiteral("Line 3 of")));
    CHECK(scene.cell(1, PromptRows::LeftLoss).isEmpty());
    CHECK_FALSE(scene.cell(2, PromptRows::LeftLoss).isEmpty());
    CHECK(child<QLabel>(scene.panel, "promptSetProblem").text().startsWith(QStringLiteral("1 of 3")));
    const QString prompt = scene.document().prompt().text;
    scene.click(1);
    CHECK(scene.document().prompt().text == prompt);
}

TEST_CASE("a file that is not there says so, and a task has the prompts it is asked for")
{
    PromptSetScene scene;
    panels::openPromptSet(scene.explorer(), QStringLiteral("/nowhere/set.txt"));
    scene.waitUntilRead();
    CHECK(child<QLabel>(scene.panel, "promptSetProblem").text().contains(QStringLiteral("/nowhere/set.txt")));
    panels::openPromptSet(scene.explorer(), QStringLiteral("task:induction:25"));
    scene.waitUntilDone();
    scene.waitUntilRead();
    CHECK(scene.panel.shownCount() == 25);
    CHECK_FALSE(scene.cell(24, PromptRows::LeftLoss).isEmpty());
}

TEST_CASE("ten thousand prompts are listed, sorted and gone through")
{
    PromptSetScene scene;
    std::string lines;
    for (int prompt = 0; prompt < 10'000; ++prompt)
        lines += "prompt number " + std::to_string(prompt) + "\n";
    scene.open(lines);
    REQUIRE(scene.panel.shownCount() == 10'000);
    scene.table().sortByColumn(PromptRows::RightLoss, Qt::DescendingOrder);
    scene.click(0);
    const std::optional<int> first = scene.document().set.index;
    scene.press(Qt::Key_Down);
    CHECK(first);
    CHECK(scene.document().set.index == scene.panel.indexAt(1));
}
