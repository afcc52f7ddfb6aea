#include "control/figures/figure_maker.h"

#include "control/document/demo_prompt.h"
#include "control/figures/figure_recipe.h"
#include "control/session/session.h"
#include "figures/parts/page.h"
#include "service/engine_backend.h"
#include "support/catch.h"
#include "support/temp_dir.h"
#include "ui/fake_backend.h"
#include "ui/made_up_graph.h"

#include <QFile>

#include <set>

using namespace hs;
using namespace hs::test;

namespace {

using Models = std::array<std::shared_ptr<const service::OpenModel>, 2>;

control::Document documentOn(const QString& left, const QString& right, control::FigurePreset preset)
{
    control::Document document;
    control::setPrompt(document, QStringLiteral("one two three two one"));
    document.side(Side::Left).model = left;
    document.side(Side::Right).model = right;
    document.figure = control::FigureSpec::of(preset);
    return document;
}

Models openBoth(service::Backend& backend, const control::Document& document)
{
    Models models;
    for (const Side side : kSides)
        models[indexOf(side)] = *backend.open({document.side(side).model.toStdString(), "cpu", "auto"}, {});
    return models;
}

std::shared_ptr<const control::MadeFigure> made(service::Backend& backend, const control::Document& document)
{
    const auto figure =
        control::makeFigure(backend, control::figureRequest(document, openBoth(backend, document)), {});
    if (!figure)
        FAIL(figure.error().message);
    return *figure;
}

std::string problemOf(service::Backend& backend, const control::Document& document)
{
    const auto figure =
        control::makeFigure(backend, control::figureRequest(document, openBoth(backend, document)), {});
    return figure.ok() ? std::string() : figure.error().message;
}

control::Document fakeDocument(control::FigurePreset preset)
{
    const QString more = preset == control::FigurePreset::Graph ? QStringLiteral("+features") : QString();
    return documentOn(QStringLiteral("fake:4x6") + more, QStringLiteral("fake:3x5+gate") + more, preset);
}

}  // namespace

TEST_CASE("every preset is made and drawn of any pair of models")
{
    FakeBackend backend;
    for (const control::PresetName& preset : control::presetNames()) {
        CAPTURE(preset.word);
        control::Document document = fakeDocument(preset.value);
        document.figure.corrupted = QStringLiteral("one two four two one");
        const auto figure = made(backend, document);
        const figures::Drawing drawing = figure->draw(document.figure.form);
        CHECK(drawing.items().size() > 3);
        CHECK_FALSE(figures::tableOf(figure->content).columns.empty());
    }
}

TEST_CASE("figures that ask for MLPs have them, and those of patterns say why they cannot")
{
    FakeBackend backend;
    control::Document document = fakeDocument(control::FigurePreset::Summary);
    document.figure.metric = QStringLiteral("logit");
    const auto mlpsOf = [&] {
        return std::get<figures::SummaryFigure>(made(backend, document)->content).panels.front().mlps;
    };
    CHECK(mlpsOf().empty());
    document.figure.units = Units::HeadsAndMlps;
    CHECK(mlpsOf().size() == 4);
    document.figure.metric = QStringLiteral("peak");
    CHECK(problemOf(backend, document).find("An MLP has no pattern") != std::string::npos);

    document = fakeDocument(control::FigurePreset::Attribution);
    const auto captionOf = [&] {
        return std::get<figures::AttributionFigure>(made(backend, document)->content).caption;
    };
    CHECK_FALSE(captionOf().contains("MLPs"));
    document.figure.units = Units::HeadsAndMlps;
    CHECK(captionOf().contains("MLPs"));

    document = fakeDocument(control::FigurePreset::ExplainedEffect);
    document.figure.corrupted = QStringLiteral("one two four two one");
    document.figure.units = Units::HeadsAndMlps;
    CHECK(std::get<figures::ExplainedEffectFigure>(made(backend, document)->content).unit ==
          "heads and MLPs");
}

TEST_CASE(
    "a grid of heads and MLPs has each layer's share of the answer, where heads are in the layers' order")
{
    FakeBackend backend;
    control::Document document = fakeDocument(control::FigurePreset::HeadGrid);
    const auto gridOf = [&] { return std::get<figures::GridFigure>(made(backend, document)->content); };
    const QString plain = gridOf().caption;
    for (const figures::TilePanel& panel : gridOf().panels)
        CHECK((panel.mlps.empty() && !panel.flow.hasMlps));

    document.figure.units = Units::HeadsAndMlps;
    const figures::TilePanel left = gridOf().panels.front();
    CHECK(left.flow.hasMlps);
    CHECK(left.mlps.size() == 4);
    CHECK(figures::shareOfMlp(left, 0) == Approx(0.5));
    CHECK(figures::shareOfMlp(left, 1) == Approx(-0.5));
    CHECK(gridOf().caption != plain);
    CHECK(gridOf().caption.contains("MLP"));

    for (control::FigureSide& side : document.figure.sides) {
        side.grid.form = control::GridChoice::Form::List;
        side.grid.list = {{2, 1}, {0, 1}, {2, 0}};
    }
    CHECK(problemOf(backend, document).find("keep the order of layers, or choose heads alone") !=
          std::string::npos);
    document.figure.sides.back().grid.list = {{0, 1}, {2, 0}, {2, 1}};
    const std::vector<figures::TilePanel> panels = gridOf().panels;
    CHECK_FALSE(panels.front().flow.hasMlps);
    CHECK(panels.back().flow.hasMlps);
}

TEST_CASE("a grid as shown has MLPs if the window's has")
{
    control::ShownGrids grids;
    control::Document document;
    const auto unitsOf = [&](control::FigurePreset preset) {
        return control::figureAsShown(document, preset, grids).units;
    };
    CHECK(unitsOf(control::FigurePreset::HeadGrid) == Units::Heads);
    grids.flows.back().hasMlps = true;
    CHECK(unitsOf(control::FigurePreset::HeadGrid) == Units::HeadsAndMlps);
    CHECK(unitsOf(control::FigurePreset::RankedHeads) == Units::Heads);
}

TEST_CASE("one side alone makes a figure, and none a sentence")
{
    FakeBackend backend;
    for (const control::PresetName& preset : control::presetNames()) {
        CAPTURE(preset.word);
        control::Document document = fakeDocument(preset.value);
        document.figure.corrupted = QStringLiteral("one two four two one");
        document.figure.sides.front().isShown = false;
        CHECK(problemOf(backend, document).empty());
        document.figure.sides.back().isShown = false;
        CHECK(problemOf(backend, document).find("show at least one side") != std::string::npos);
    }
}

TEST_CASE("a head grid samples the dense model and keeps the active heads of the sparse one")
{
    FakeBackend backend;
    control::Document document = fakeDocument(control::FigurePreset::HeadGrid);
    document.figure.sides.front().grid.layerStep = 2;
    document.figure.sides.front().grid.lastHead = 2;
    document.figure.threshold = 0.9;
    const auto figure = made(backend, document);
    const auto& grid = std::get<figures::GridFigure>(figure->content);
    REQUIRE(grid.panels.size() == 2);
    CHECK(grid.panels.front().heads == std::vector<HeadId>{{0, 0}, {0, 1}, {0, 2}, {2, 0}, {2, 1}, {2, 2}});
    const figures::TilePanel& sparse = grid.panels.back();
    CHECK(sparse.flow == render::TileFlow{render::TileFlow::Kind::Wrapped, 3});
    const std::set<HeadId> kept(sparse.heads.begin(), sparse.heads.end());
    for (int index = 0; index < sparse.result.heads.total(); ++index) {
        const HeadId head = sparse.result.heads.at(index);
        const std::uint8_t* const tile = sparse.result.tileOf(head);
        const int most = *std::max_element(tile, tile + sparse.result.tileRows * sparse.result.tileRows);
        CHECK(kept.contains(head) == (most >= 230));
    }
}

TEST_CASE("ranked heads follow a metric, a given list or the result of an analysis")
{
    FakeBackend backend;
    control::Document document = fakeDocument(control::FigurePreset::RankedHeads);
    control::FigureSide& left = document.figure.sides.front();
    const auto heads = [&] {
        return std::get<figures::GridFigure>(made(backend, document)->content).panels.front();
    };
    const figures::TilePanel ranked = heads();
    for (std::size_t index = 1; index < ranked.heads.size(); ++index)
        CHECK(ranked.result.statsOf(ranked.heads[index - 1]).peak >=
              ranked.result.statsOf(ranked.heads[index]).peak);
    left.grid.list = {{3, 1}, {0, 2}};
    left.grid.order.clear();
    CHECK(heads().heads == left.grid.list);
    left.result = R"({"units": [{"layer": 1, "head": 1}, {"layer": 0, "head": 0}, {"layer": 9, "head": 9}]})";
    CHECK(heads().heads == std::vector<HeadId>{{1, 1}, {0, 0}});
}

TEST_CASE("heads that map a key to a query are those whose weight there reaches the threshold")
{
    FakeBackend backend;
    control::Document document = fakeDocument(control::FigurePreset::KeyQuery);
    document.figure.key = 1;
    document.figure.query = 4;
    document.figure.threshold = GENERATE(0.001, 0.2);
    const auto figure = made(backend, document);
    const auto& content = std::get<figures::KeyQueryFigure>(figure->content);
    const auto weights = backend.cellWeights(Side::Left, *figure->request.sides.front(), 4, 1, {});
    std::size_t expected = 0;
    for (const float weight : *weights)
        expected += weight >= document.figure.threshold;
    REQUIRE(content.sides.front().mapping.size() == expected);
    for (std::size_t index = 1; index < expected; ++index)
        CHECK(content.sides.front().weights[index - 1] >= content.sides.front().weights[index]);
    document.figure.key = 5;
    CHECK(problemOf(backend, document).find("choose others") != std::string::npos);
}

TEST_CASE("every edge of a flow reaches the threshold, strongest first")
{
    FakeBackend backend;
    control::Document document = fakeDocument(control::FigurePreset::Flow);
    document.figure.threshold = 0.3;
    const auto figure = made(backend, document);
    const auto& flow = std::get<figures::FlowFigure>(figure->content);
    REQUIRE_FALSE(flow.panels.front().edges.empty());
    float before = 2;
    for (const stats::FlowEdge& edge : flow.panels.front().edges) {
        CHECK(edge.weight >= 0.3F);
        CHECK(edge.weight <= before);
        CHECK(edge.key <= edge.query);
        before = edge.weight;
    }
}

TEST_CASE("a matrix of more plots than anybody waits for is refused with what to do")
{
    FakeBackend backend;
    control::Document document = documentOn(QStringLiteral("fake:80x20"), QStringLiteral("fake:3x5"),
                                            control::FigurePreset::ScatterMatrix);
    control::setPrompt(document, QStringLiteral("one ").repeated(60));
    for (int layer = 0; layer < 80; ++layer)
        for (int head = 0; head < 20; ++head)
            document.figure.sides.front().grid.list.push_back({layer, head});
    document.figure.sides.back().isShown = false;
    CHECK(problemOf(backend, document) ==
          "A matrix of 1,600 heads over 61 tokens takes too long to draw; choose fewer heads or shorten the "
          "prompt.");
}

TEST_CASE("the heads that carry a token reach the wanted share, and one fewer does not")
{
    FakeBackend backend;
    control::Document document = fakeDocument(control::FigurePreset::Attribution);
    document.figure.share = GENERATE(0.5, 0.8, 0.99);
    const auto figure = made(backend, document);
    const auto& content = std::get<figures::AttributionFigure>(figure->content);
    for (const figures::AttributionSide& side : content.sides) {
        CHECK(side.share >= document.figure.share - 1e-9);
        REQUIRE_FALSE(side.contributions.empty());
        double all = 0;
        for (const double value : side.contributions)
            all += std::abs(value);
        const double total = all / side.share;
        CHECK((all - std::abs(side.contributions.back())) / total < document.figure.share);
    }
}

TEST_CASE(
    "with transcoders the tokens of an attribution are what fires there, and the heads those of one line")
{
    FakeBackend backend;
    control::Document document =
        documentOn(QStringLiteral("fake:4x6+features"), QStringLiteral("fake:4x6+gate+features"),
                   control::FigurePreset::Attribution);
    const auto figure = made(backend, document);
    const auto& content = std::get<figures::AttributionFigure>(figure->content);
    REQUIRE(content.sources.size() >= 2);
    CHECK(content.sources.size() <= 4);
    CHECK(content.sources.front().position != content.position);
    double sum = 0;
    for (const figures::AttributionSource& source : content.sources) {
        CHECK_FALSE(source.isEmbedding);
        CHECK(source.name == (source.position == 1 ? QStringLiteral("a name") : QString()));
        sum += source.share;
    }
    CHECK(sum <= 0.75 + 1e-9);  // errors have the rest
    for (const figures::AttributionSide& side : content.sides) {
        CHECK_FALSE(side.carrying.heads.empty());
        CHECK(side.share >= 0.8);
        CHECK(side.carrying.mark->key == content.sources.front().position);
    }
    CHECK(content.caption.contains(QStringLiteral("errors carry 25 %")));

    document.figure.key = 1;
    document.side(Side::Right).graph.labels[{0, static_cast<int>(madeUpFeature(0, 1))}] = "two";
    const auto other = made(backend, document);
    const auto& labelled = std::get<figures::AttributionFigure>(other->content).sources.front();
    CHECK(labelled.position == 1);
    CHECK(labelled.name == QStringLiteral("two"));
}

TEST_CASE("a result of another model or prompt is refused")
{
    FakeBackend backend;
    control::Document document = fakeDocument(control::FigurePreset::Attribution);
    document.figure.sides.front().result =
        R"({"edges": [{"layer": 7, "head": 0, "query": 4, "key": 1, "value": 1}]})";
    CHECK(problemOf(backend, document).find("make it again") != std::string::npos);
}

TEST_CASE("models that cut the prompt differently share no figure of positions")
{
    FakeBackend backend;
    for (const control::PresetName& preset : control::presetNames()) {
        CAPTURE(preset.word);
        control::Document document = documentOn(QStringLiteral("fake:4x6+features"),
                                                QStringLiteral("fake:4x6+letters+features"), preset.value);
        document.figure.corrupted = QStringLiteral("one two four two one");
        const bool isOfPositions =
            std::set{control::FigurePreset::KeyQuery, control::FigurePreset::Attribution,
                     control::FigurePreset::Flow, control::FigurePreset::Graph, control::FigurePreset::Head}
                .contains(preset.value);
        const std::string problem = problemOf(backend, document);
        CHECK((problem.find("show one of them alone") != std::string::npos) == isOfPositions);
        document.figure.sides.back().isShown = false;
        CHECK(problemOf(backend, document).empty());
    }
}

TEST_CASE("an unknown metric is refused with those there are")
{
    FakeBackend backend;
    control::Document document = fakeDocument(control::FigurePreset::Summary);
    document.figure.metric = QStringLiteral("beauty");
    CHECK(problemOf(backend, document).find("peak") != std::string::npos);
}

TEST_CASE("a figure's file holds the document that makes it again, whatever its format and place")
{
    const TempDir folder;
    FakeBackend backend;
    control::Document document = fakeDocument(control::FigurePreset::KeyQuery);
    document.figure.form.caption = QStringLiteral("“Zwei” & <drei> ]]> 你好");
    document.side(Side::Left).ablations = {{{1, 1}, engine::HeadAblation::Kind::Mean}};
    const auto figure = made(backend, document);
    for (const char* const name : {"a.pdf", "b.svg", "c.png", "d.html"}) {
        CAPTURE(name);
        REQUIRE(control::writeMadeFigure(*figure, document, folder / name).ok());
        const Result<control::Session> again = control::readFigureSession(folder / name);
        if (!again)
            FAIL(again.error().message);
        CHECK(again->document == document);
    }
    CHECK(control::stampOf(*figure, document).recipe.find(folder.path().string()) == std::string::npos);
}

TEST_CASE(
    "grids of heads are a page with tokens, matches and predictions before and after, other figures are not")
{
    FakeBackend backend;
    control::Document document = fakeDocument(control::FigurePreset::HeadGrid);
    document.side(Side::Left).ablations = {{{1, 1}, engine::HeadAblation::Kind::Zero}};
    const auto figure = made(backend, document);
    const auto page = figure->draw(document.figure.form).page();
    REQUIRE(page);
    REQUIRE(page->panels.size() == 2);
    for (const Side side : kSides) {
        const figures::PanelText& text = page->panels[indexOf(side)].text;
        const control::SideRun& run = *figure->runs[indexOf(side)];
        CHECK(text.tokens.size() == run.tokens.size());
        CHECK(text.matches.empty() == (figure->runs[0]->tokens == figure->runs[1]->tokens));
        CHECK(text.position == run.position);
        REQUIRE_FALSE(text.next.empty());
        CHECK(text.next.size() == page->panels.front().text.next.size());
    }
    const std::vector<figures::NextToken>& next = page->panels.front().text.next;
    CHECK(std::any_of(next.begin(), next.end(), [](const figures::NextToken& token) {
        return !(token.change.before == token.change.after);
    }));
    for (const control::PresetName& preset : control::presetNames()) {
        CAPTURE(preset.word);
        control::Document other = fakeDocument(preset.value);
        other.figure.corrupted = QStringLiteral("one two four two one");
        const bool hasGrids = preset.value == control::FigurePreset::HeadGrid ||
                              preset.value == control::FigurePreset::RankedHeads ||
                              preset.value == control::FigurePreset::KeyQuery;
        CHECK((made(backend, other)->draw(other.figure.form).page() != nullptr) == hasGrids);
    }
}

TEST_CASE("a page of two tokenizers says which tokens cover the same characters")
{
    FakeBackend backend;
    const control::Document document = documentOn(
        QStringLiteral("fake:2x2"), QStringLiteral("fake:2x2+letters"), control::FigurePreset::HeadGrid);
    const auto figure = made(backend, document);
    const auto page = figure->draw(document.figure.form).page();
    REQUIRE(figure->runs[0]->tokens != figure->runs[1]->tokens);
    for (const figures::TilePanel& panel : page->panels)
        CHECK(panel.text.matches.size() == panel.text.tokens.size());
}

TEST_CASE("a caption says what was run, what was switched off and how weights became colours")
{
    FakeBackend backend;
    control::Document document = fakeDocument(control::FigurePreset::HeadGrid);
    document.side(Side::Left).ablations = {{{1, 1}, engine::HeadAblation::Kind::Mean},
                                           {{2, 0}, engine::HeadAblation::Kind::Zero},
                                           {HeadId::mlpOf(2), engine::HeadAblation::Kind::Zero}};
    document.figure.form.width = 400;
    document.figure.form.highest = 0.5;
    const auto figure = made(backend, document);
    QString words;
    const figures::Drawing drawing = figure->draw(document.figure.form);
    for (const figures::Drawing::Item& item : drawing.items())
        if (const auto* const text = std::get_if<figures::DrawnText>(&item))
            words += text->text + QLatin1Char(' ');
    CHECK(words.contains(document.prompt().text));
    CHECK(words.contains(QStringLiteral("L1H1 at its mean; L2H0 at zero; L2MLP at zero.")));
    CHECK(words.contains(QStringLiteral("score gate, bias -0.25")));
    CHECK(words.contains(QStringLiteral("√ scale, 0–0.5, shared by all heads.")));
}

TEST_CASE("what the grids show flows into a figure")
{
    control::Document document = fakeDocument(control::FigurePreset::HeadGrid);
    document.look.colourMap = render::ColourMap::names().back();
    document.look.labelCorner = render::LabelCorner::BottomLeft;
    document.key = 2;
    document.query = 3;
    document.side(Side::Right).grid.form = control::GridChoice::Form::List;
    document.side(Side::Right).grid.order = QStringLiteral("peak");
    const std::vector<HeadId> shown = {{2, 2}, {0, 1}};
    control::ShownGrids grids;
    grids.heads[1] = shown;
    grids.flows = {{{render::TileFlow::Kind::LayersAcross, 2}, {render::TileFlow::Kind::Wrapped, 5}}};
    grids.isStacked = true;
    const control::FigureSpec spec = control::figureAsShown(document, control::FigurePreset::HeadGrid, grids);
    CHECK(spec.isStacked);
    CHECK(spec.form.colourMap == document.look.colourMap);
    CHECK(spec.form.labelCorner == render::LabelCorner::BottomLeft);
    CHECK(spec.key == 2);
    CHECK(spec.sides.front().grid.flow == control::GridChoice::Flow::LayersAcross);
    CHECK(spec.sides.front().grid.blocks == 2);
    CHECK(spec.sides.back().grid.columns == 5);
    CHECK(spec.sides.back().grid.list == shown);
    CHECK(spec.sides.back().grid.order.isEmpty());
    document.arrangement = control::Arrangement::RightOnly;
    CHECK_FALSE(control::figureAsShown(document, control::FigurePreset::HeadGrid, {}).sides.front().isShown);
}
