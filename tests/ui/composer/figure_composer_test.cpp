#include "base/shell_words.h"
#include "composer/preset_uses.h"
#include "control/figures/figure_recipe.h"
#include "support/catch.h"
#include "ui/composer/composer_under_test.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include <fstream>

using namespace hs;
using namespace hs::test;

namespace {

struct PresetCase {
    control::FigurePreset preset;
    std::size_t content;  // index in FigureContent
    const char* control;  // that it shows
    const char* absent;   // that it does not show
};

constexpr std::array<PresetCase, 10> kCases = {{
    {control::FigurePreset::HeadGrid, 0, "isStacked", "metric"},
    {control::FigurePreset::RankedHeads, 0, "labelCorner", "key"},
    {control::FigurePreset::Summary, 1, "metric", "labelCorner"},
    {control::FigurePreset::ScatterMatrix, 2, "order", "scale"},
    {control::FigurePreset::KeyQuery, 3, "query", "target"},
    {control::FigurePreset::Attribution, 4, "share", "level"},
    {control::FigurePreset::Flow, 5, "threshold", "isPerHead"},
    {control::FigurePreset::ExplainedEffect, 6, "corrupted", "colourMap"},
    {control::FigurePreset::Head, 7, "oneHead", "form"},
    {control::FigurePreset::Graph, 8, "target", "corrupted"},
}};

}  // namespace

TEST_CASE("choosing a preset shows its controls and draws its content")
{
    ComposerUnderTest test;
    test.explorer().edit(QStringLiteral("other prompt"), [](control::Document& document) {
        document.figure.corrupted = QStringLiteral("When Anna and John went to the store");
    });
    for (const PresetCase& each : kCases) {
        CAPTURE(composer::presetTitle(each.preset).toStdString());
        auto* const presets = test.child<QComboBox>("preset");
        presets->setCurrentIndex(presets->findText(composer::presetTitle(each.preset)));
        CHECK(test.spec().preset == each.preset);
        CHECK(test.child<QWidget>(each.control)->isVisible());
        CHECK_FALSE(test.child<QWidget>(each.absent)->isVisible());
        REQUIRE(test.settles());
        const bool lacksFeatures = each.preset == control::FigurePreset::Graph;
        CHECK(test.figures().problem().contains(QStringLiteral("no transcoders")) == lacksFeatures);
        if (lacksFeatures)
            continue;
        CHECK(test.figures().problem().toStdString() == "");
        REQUIRE(test.figures().figure());
        CHECK(test.figures().figure()->content.index() == each.content);
        REQUIRE(test.composer->preview().drawing());
        CHECK_FALSE(test.composer->preview().drawing()->items().empty());
    }
}

TEST_CASE("another preset keeps page, titles and named heads")
{
    control::FigureSpec spec = control::FigureSpec::of(control::FigurePreset::HeadGrid);
    spec.form.width = 120;
    spec.form.fontSize = 8;
    spec.sides.front().title = QStringLiteral("Mine");
    spec.sides.back().grid.list = {{1, 1}, {0, 2}};
    const control::FigureSpec scatter = composer::switchedTo(spec, control::FigurePreset::ScatterMatrix);
    CHECK(scatter.preset == control::FigurePreset::ScatterMatrix);
    CHECK(scatter.form.width == 120);
    CHECK(scatter.form.fontSize == 8);
    CHECK(scatter.sides.front().title == QStringLiteral("Mine"));
    CHECK(scatter.sides.back().grid.list == spec.sides.back().grid.list);
    // What only the preset decided goes with it.
    CHECK(composer::switchedTo(control::FigureSpec::of(control::FigurePreset::ExplainedEffect),
                               control::FigurePreset::HeadGrid) ==
          control::FigureSpec::of(control::FigurePreset::HeadGrid));
}

TEST_CASE("another preset keeps MLPs where it can show them")
{
    using enum control::FigurePreset;
    control::FigureSpec spec = control::FigureSpec::of(HeadGrid);
    spec.units = Units::HeadsAndMlps;
    CHECK(composer::switchedTo(spec, Attribution).units == Units::HeadsAndMlps);
    CHECK(composer::switchedTo(spec, Summary).units == Units::Heads);
    spec.metric = QStringLiteral("logit");
    CHECK(composer::switchedTo(spec, Summary).units == Units::HeadsAndMlps);
}

TEST_CASE("as shown now takes over heads, order, cell and look of the grids")
{
    ComposerUnderTest test;
    test.explorer().edit(QStringLiteral("grids"), [](control::Document& document) {
        control::GridChoice& grid = document.side(Side::Right).grid;
        grid.form = control::GridChoice::Form::List;
        grid.order = QStringLiteral("entropy");
        document.key = 1;
        document.query = 4;
        document.look.scale = render::Scale::Linear;
    });
    test.explorer().setLayout(
        {{{render::TileFlow::Kind::LayersDown, 2}, {render::TileFlow::Kind::Wrapped, 7}}}, true);
    REQUIRE(test.settles());
    const int step = test.history().index();
    test.child<QToolButton>("asShown")->click();
    CHECK(test.history().index() == step + 1);
    CHECK(test.spec().isStacked);
    CHECK(test.spec().sides.front().grid.blocks == 2);
    CHECK(test.spec().sides.back().grid.columns == 7);
    CHECK(test.spec().form.scale == render::Scale::Linear);
    CHECK(test.spec().key == 1);
    CHECK(test.spec().query == 4);
    REQUIRE(test.settles());
    const auto& panels = std::get<figures::GridFigure>(test.figures().figure()->content).panels;
    for (const Side side : kSides)
        CHECK(panels[indexOf(side)].heads == test.explorer().shownHeads(side));

    test.choose(control::FigurePreset::Head);
    test.explorer().setCurrent(Side::Right, HeadId{3, 4});
    test.composer->takeShown();
    REQUIRE(test.settles());
    for (const figures::HeadFigurePanel& panel :
         std::get<figures::HeadFigure>(test.figures().figure()->content).panels)
        CHECK(panel.head == HeadId{3, 4});

    test.choose(control::FigurePreset::HeadGrid);
    test.explorer().select({{2, 1}, {0, 3}});
    test.composer->takeSelected();
    REQUIRE(test.settles());
    const auto& chosen = std::get<figures::GridFigure>(test.figures().figure()->content).panels;
    CHECK(chosen.front().heads == std::vector<HeadId>{{0, 3}, {2, 1}});
    CHECK(chosen.back().heads.size() == 2);
}

TEST_CASE("tiles that do not show weights are not taken over, and the button says why")
{
    ComposerUnderTest test;
    REQUIRE(test.settles());
    const auto* const button = test.child<QToolButton>("asShown");
    const QString help = button->toolTip();
    const auto show = [&](control::TileValue value) {
        test.explorer().edit(QStringLiteral("tiles"),
                             [&](control::Document& document) { document.tiles = value; });
    };
    show(control::TileValue::AfterAblation);
    CHECK_FALSE(button->isEnabled());
    CHECK(button->toolTip().contains(QStringLiteral("Figures show weights")));
    show(control::TileValue::Weights);
    CHECK(button->isEnabled());
    CHECK(button->toolTip() == help);
}

TEST_CASE("an exported figure remembers the document it was made from")
{
    ComposerUnderTest test;
    test.choose(control::FigurePreset::RankedHeads);
    test.explorer().toggleAblation(Side::Left, {{1, 2}});
    REQUIRE(test.settles());
    test.explorer().edit(QStringLiteral("form"),
                         [](control::Document& document) { document.figure.form.fontSize = 6.5; });
    QString said, wrong;
    QObject::connect(&test.composer->exports(), &composer::FigureExport::done,
                     [&](const QString& text) { said = text; });
    QObject::connect(&test.composer->exports(), &composer::FigureExport::failed,
                     [&](const QString& text) { wrong = text; });
    for (const char* const name : {"a.pdf", "a.svg", "a.png", "a.html"}) {
        CAPTURE(name);
        test.composer->exports().writeTo(test.file(name));
        REQUIRE(test.settles());
        CHECK(wrong.toStdString() == "");
        CHECK(said.contains(QString::fromLatin1(name)));
        const Result<control::Session> session = control::readFigureSession(test.file(name));
        REQUIRE(session);
        CHECK(session->document == test.explorer().document());
    }
    test.composer->exports().writeDataTo(test.file("a.csv"));
    REQUIRE(test.settles());
    std::string head;
    std::getline(std::ifstream(test.file("a.csv")), head);
    CHECK(head.find("layer") != std::string::npos);
    test.composer->exports().writeTo(test.file("missing/a.pdf"));
    REQUIRE(test.settles());
    CHECK_FALSE(wrong.isEmpty());
    CHECK(test.child<QLabel>("said")->text() == wrong);
}

TEST_CASE("every export of a quick row is written, away from the window's thread")
{
    ComposerUnderTest test;
    REQUIRE(test.settles());
    QStringList said;
    QObject::connect(&test.composer->exports(), &composer::FigureExport::done,
                     [&](const QString& text) { said << text; });
    for (const char* const name : {"a.pdf", "b.svg", "c.png", "d.pdf"})
        test.composer->exports().writeTo(test.file(name));
    CHECK(said.isEmpty());  // nothing waited for them
    REQUIRE(test.settles());
    CHECK(said.size() == 4);
    for (const char* const name : {"a.pdf", "b.svg", "c.png", "d.pdf"})
        CHECK(control::readFigureSession(test.file(name)));
    test.composer->exports().writeTo(test.file("stopped.pdf"));
    test.composer->exports().writeTo(test.file("never.pdf"));
    test.explorer().cancel();
    test.composer->exports().writeTo(test.file("after.pdf"));
    REQUIRE(test.settles());
    CHECK(control::readFigureSession(test.file("after.pdf")));
    CHECK_FALSE(std::filesystem::exists(test.file("never.pdf")));
}

TEST_CASE("copying puts the figure on the clipboard at the page's resolution")
{
    ComposerUnderTest test;
    REQUIRE(test.settles());
    const QSizeF points = test.composer->preview().drawing()->size();
    for (const double dpi : {100.0, 300.0}) {
        test.explorer().edit(QStringLiteral("dpi"),
                             [dpi](control::Document& document) { document.figure.form.dotsPerInch = dpi; });
        test.child<QPushButton>("copyImage")->click();
        REQUIRE(test.settles());
        const QImage image = QGuiApplication::clipboard()->image();
        CHECK(std::abs(image.width() - points.width() / 72 * dpi) <= 1);
        CHECK(std::abs(image.height() - points.height() / 72 * dpi) <= 1);
    }
}

TEST_CASE("a figure copied as a command is the figure that is shown")
{
    ComposerUnderTest test;
    test.explorer().edit(QStringLiteral("caption"), [](control::Document& document) {
        document.figure.form.caption = QStringLiteral("Mary's \"heads\"");
    });
    REQUIRE(test.settles());
    test.child<QPushButton>("copyCommand")->click();
    REQUIRE(test.settles());
    const std::vector<std::string> words = shellWords(QGuiApplication::clipboard()->text().toStdString());
    REQUIRE(words.size() > 3);
    CHECK(std::vector(words.begin() + 3, words.end()) ==
          std::vector<std::string>{"|", "headscope", "figure", "-", "--out", "head-grid.pdf"});
    const control::Session session = orThrow(control::readSession(words[2], "standard input"));
    CHECK(session.document.figure == test.explorer().document().figure);
    CHECK(session.document.prompt() == test.explorer().document().prompt());
}

TEST_CASE("a change of form alone draws again without asking for anything")
{
    ComposerUnderTest test;
    REQUIRE(test.settles());
    const int runs = test.tested.fake->count(FakeBackend::Call::Run);
    const QSizeF before = test.composer->preview().drawing()->size();
    test.explorer().edit(QStringLiteral("width"),
                         [](control::Document& document) { document.figure.form.width = 85; });
    CHECK_FALSE(test.figures().isStale());
    // Laid out on another thread; the previous page stays until then.
    CHECK_FALSE(control::LateWork::isDoneIn(*test.composer));
    CHECK(test.composer->preview().drawing()->size() == before);
    REQUIRE(test.settles());
    CHECK(test.tested.fake->count(FakeBackend::Call::Run) == runs);
    CHECK(test.composer->preview().drawing()->size().width() < before.width());
}

TEST_CASE("while a figure is made the old one stays, dimmed, and nothing is exported")
{
    ComposerUnderTest test;
    REQUIRE(test.settles());
    const auto before = test.figures().figure();
    test.tested.fake->hold(FakeBackend::Call::Run);
    test.explorer().edit(QStringLiteral("stack"),
                         [](control::Document& document) { document.figure.isStacked = true; });
    test.tested.fake->waitUntilHeld(FakeBackend::Call::Run);
    CHECK(test.figures().isStale());
    CHECK(test.figures().figure() == before);
    CHECK(test.composer->preview().drawing());
    CHECK_FALSE(test.child<QPushButton>("export")->isEnabled());
    CHECK(test.child<QToolButton>("stop")->isVisible());
    test.composer->exports().writeTo(test.file("early.pdf"));
    CHECK_FALSE(std::filesystem::exists(test.file("early.pdf")));
    test.tested.fake->release(FakeBackend::Call::Run);
    REQUIRE(test.settles());
    CHECK(test.figures().figure() != before);
    CHECK(test.child<QPushButton>("export")->isEnabled());
}

TEST_CASE("what keeps a figure from being made is said")
{
    ComposerUnderTest test;
    REQUIRE(test.settles());
    test.tested.fake->failNext(FakeBackend::Call::Run,
                               {ErrorCode::TooLarge, "It does not fit; shorten the prompt.", {}});
    test.explorer().edit(QStringLiteral("stack"),
                         [](control::Document& document) { document.figure.isStacked = true; });
    REQUIRE(test.settles());
    CHECK(test.child<QLabel>("figureProblem")->text() ==
          QStringLiteral("It does not fit; shorten the prompt."));
    CHECK(test.child<QLabel>("figureProblem")->isVisible());
    CHECK(test.composer->preview().drawing());  // the previous one
    CHECK_FALSE(test.child<QPushButton>("export")->isEnabled());
    test.explorer().rerun();
    REQUIRE(test.settles());
    CHECK_FALSE(test.child<QLabel>("figureProblem")->isVisible());
}

TEST_CASE("without a model the composer says so")
{
    ComposerUnderTest test;
    REQUIRE(test.settles());
    for (const Side side : kSides)
        test.explorer().openModel(side, {});
    REQUIRE(test.settles());
    CHECK(test.figures().problem().contains(QStringLiteral("There is no model")));
    CHECK_FALSE(test.composer->preview().drawing());
    CHECK_FALSE(test.child<QPushButton>("export")->isEnabled());
    CHECK_FALSE(test.composer->grab().isNull());
}

TEST_CASE("notes of the drawing stand below the preview")
{
    ComposerUnderTest test;
    REQUIRE(test.settles());
    test.explorer().edit(QStringLiteral("narrow"), [](control::Document& document) {
        document.figure.form.width = 20;
        document.figure.form.fontSize = 12;
    });
    REQUIRE(test.settles());
    const QStringList notes = test.composer->preview().drawing()->notes();
    CHECK(test.child<QLabel>("figureNotes")->text() == notes.join(QLatin1Char('\n')));
    CHECK(test.child<QLabel>("figureNotes")->isVisible() == !notes.isEmpty());
}
