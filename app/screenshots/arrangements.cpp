#include "app/screenshots/arrangements.h"

#include "app/desktop/window_at_rest.h"
#include "control/analyses/analysis_runs.h"
#include "control/explorer/explorer.h"
#include "control/explorer/generation_runs.h"
#include "control/figures/figure_runs.h"
#include "panels/analyses/graph/graph_diagram.h"
#include "panels/analyses/prompts/prompt_set_edits.h"
#include "start/start_page.h"
#include "start/tour.h"
#include "window/dock_states.h"
#include "window/main_window.h"

#include <QDockWidget>

#include <algorithm>

namespace hs::app {
namespace {

/// A head that attends from a query to a key.
struct Edge {
    HeadId head;
    int query = 0;
    int key = 0;
};

/// The sparse model's strongest edge into the prompt's last token, which its answer rests on.
Edge answeringEdge(window::MainWindow& window)
{
    const engine::RunResult& run = window.explorer().state(Side::Right).run->after;
    Edge best{{}, run.tileRows - 1, 0};
    int most = -1;
    for (int index = 0; index < run.heads.total(); ++index)
        for (int key = 0; key < run.tileRows; ++key) {
            const HeadId head = run.heads.at(index);
            const int weight = run.tileOf(head)[best.query * run.tileRows + key];
            if (weight > most) {
                most = weight;
                best.head = head;
                best.key = key;
            }
        }
    return best;
}

/// The first head of the sparse model that attends to anything.
HeadId firstActiveHead(window::MainWindow& window)
{
    const engine::RunResult& run = window.explorer().state(Side::Right).run->after;
    for (int index = 0; index < run.heads.total(); ++index) {
        const std::uint8_t* const tile = run.tileOf(run.heads.at(index));
        if (std::any_of(tile, tile + std::size_t(run.tileRows) * run.tileRows,
                        [](std::uint8_t cell) { return cell > 0; }))
            return run.heads.at(index);
    }
    return {};
}

void ablateInBoth(window::MainWindow& window, HeadId head)
{
    for (const Side side : kSides)
        window.explorer().toggleAblation(side, {head});
    window.explorer().setCurrent(Side::Left, head);
}

/// The question of the demo's first example: whose name comes next, and a corrupted prompt where it is
/// the other name.
void askForTheName(window::MainWindow& window)
{
    window.explorer().edit(QStringLiteral("ask"), [](control::Document& document) {
        document.target = QStringLiteral("Mary");
        document.distractor = QStringLiteral("John");
        document.corrupted =
            QString(document.prompt().text).replace(QStringLiteral("John gave"), QStringLiteral("Mary gave"));
    });
    waitUntilSettled(window);
}

/// Waits until the analysis has its result for both sides.
void waitUntilFound(window::MainWindow& window, service::AnalysisKind kind)
{
    const control::AnalysisRuns& analyses = window.explorer().analyses();
    waitUntil([&] {
        return std::all_of(kSides.begin(), kSides.end(), [&](Side side) {
            const control::AnalysisState& state = analyses.state(kind, side);
            const bool isAsked = kind != service::AnalysisKind::Compare || side == Side::Left;
            return !isAsked || (state.finding && !state.isOutdated && !state.finding->isPartial);
        });
    });
}

}  // namespace

void ablateTheAnswer(window::MainWindow& window)
{
    ablateInBoth(window, answeringEdge(window).head);
}

void rankHeads(window::MainWindow& window)
{
    window.explorer().edit(QStringLiteral("rank"), [](control::Document& document) {
        document.arrangement = control::Arrangement::Stacked;
        document.look.labelCorner = render::LabelCorner::TopLeft;
        for (const Side side : kSides) {
            control::GridChoice& grid = document.side(side).grid;
            grid.form = control::GridChoice::Form::List;
            grid.order = QStringLiteral("peak");
            grid.columns = 22;  // three rows each: the largest tiles
        }
    });
    window.explorer().setCurrent(Side::Right, answeringEdge(window).head);
}

void pinCell(window::MainWindow& window)
{
    const Edge edge = answeringEdge(window);
    window.explorer().edit(QStringLiteral("pin"), [&](control::Document& document) {
        document.key = edge.key;
        document.query = edge.query;
    });
    window.explorer().setCurrent(Side::Right, edge.head);
    window.unfold(QStringLiteral("edgesDock"));
}

void inspectHead(window::MainWindow& window)
{
    const Edge edge = answeringEdge(window);
    window.openHead(edge.head);
    window.explorer().setHover({Side::Left, edge.head, edge.query, edge.key});
    window.resizeDocks({window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"))},
                       {window.width() * 2 / 5}, Qt::Horizontal);
}

void inspectWidely(window::MainWindow& window)
{
    inspectHead(window);
    window.resizeDocks({window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"))},
                       {window.width() * 3 / 5}, Qt::Horizontal);
}

void showDifference(window::MainWindow& window)
{
    ablateInBoth(window, firstActiveHead(window));
    window.explorer().edit(QStringLiteral("difference"), [](control::Document& document) {
        document.tiles = control::TileValue::AfterAblation;
    });
}

void readTwoPrompts(window::MainWindow& window)
{
    window.explorer().edit(QStringLiteral("two prompts"), [](control::Document& document) {
        document.side(Side::Right).model = document.side(Side::Left).model;
        document.alike.prompt = false;
        control::setPrompt(document,
                           QStringLiteral("When John and Mary went to the old store , Mary gave a drink to"),
                           false, Side::Right);
        document.tiles = control::TileValue::BetweenSides;
    });
}

void readBlocks(window::MainWindow& window)
{
    window.explorer().edit(QStringLiteral("a chat in blocks"), [](control::Document& document) {
        control::setPrompt(document, QStringLiteral(R"({"template": "gemma3", "messages": [
            {"role": "user", "content": "When Mary and John went to the store , John gave a drink to"},
            {"role": "assistant", "content": "Mary and the old dog"},
            {"role": "user", "content": "The war lasted from the year 17 32 to the year 17"},
            {"role": "assistant", "content": "41 and then to 17"},
            {"role": "user", "content": "When Lucy and Tom went to the park , Tom gave a ball to"}]})"),
                           /*isChat=*/true);
        text::BlockChoice blocks;
        blocks.unit = text::BlockUnit::Messages;
        control::setBlocks(document, blocks);
        document.query = 5;
        document.key = 1;
    });
}

void analyse(window::MainWindow& window, service::AnalysisKind kind)
{
    askForTheName(window);
    window.explorer().edit(QStringLiteral("badges"), [kind](control::Document& document) {
        document.badges = {control::TileBadges::Kind::Rank, kind, 10};
        if (kind == service::AnalysisKind::Scatter || kind == service::AnalysisKind::Flow ||
            kind == service::AnalysisKind::Lens)
            document.badges.kind = control::TileBadges::Kind::None;
    });
    window.startAnalysis(kind);
    waitUntilFound(window, kind);
}

void pickFeature(window::MainWindow& window)
{
    window.explorer().edit(QStringLiteral("opposites"), [](control::Document& document) {
        control::setPrompt(document, QStringLiteral("The opposite of \" large \" is \""));
    });
    waitUntilSettled(window);
    window.startAnalysis(service::AnalysisKind::Graph);
    waitUntilFound(window, service::AnalysisKind::Graph);
    auto* const diagram = window.findChild<panels::GraphDiagram*>(QStringLiteral("graphDiagram1"));
    const panels::ShownGraph& shown = diagram->graph();
    for (const figures::ViewEdge& edge : shown.view.edges)
        if (shown.firstOf(edge.source).kind == features::GraphNode::Kind::Token &&
            shown.firstOf(edge.source).position != shown.firstOf(edge.target).position) {
            Q_EMIT diagram->nodePicked(edge.target, /*isAdded=*/false);
            break;
        }
    waitUntil([&] { return !window.explorer().analyses().isRunning(service::AnalysisKind::EdgeHeads); });
}

void patchHeads(window::MainWindow& window)
{
    analyse(window, service::AnalysisKind::Circuit);
    const control::AnalysisRuns& analyses = window.explorer().analyses();
    std::array<std::vector<control::RankedHead>, 2> ranked;  // [Side]
    for (const Side side : kSides)
        ranked[indexOf(side)] =
            control::ranking(*analyses.state(service::AnalysisKind::Circuit, side).finding->result);
    window.explorer().edit(QStringLiteral("patch"), [&](control::Document& document) {
        document.badges = {};
        document.tool.kind = engine::HeadAblation::Kind::Replace;
        for (const Side side : kSides)
            document.side(side).ablations = {
                {ranked[indexOf(side)][0].head, engine::HeadAblation::Kind::Replace},
                {ranked[indexOf(side)][1].head, engine::HeadAblation::Kind::Zero}};
    });
    window.explorer().setCurrent(Side::Left, ranked[0][0].head);
    window.unfold(QStringLiteral("headsDock"));
}

void writeOn(window::MainWindow& window)
{
    control::Explorer& explorer = window.explorer();
    explorer.generate();
    waitUntil([&] { return !explorer.generation().isRunning(); });
    waitUntilSettled(window);
    explorer.edit(QStringLiteral("look"), [](control::Document& document) {
        const auto& [left, right] = document.sides;
        document.step = static_cast<int>(std::ranges::mismatch(left.generated, right.generated).in1 -
                                         left.generated.begin());
    });
}

void averagePrompts(window::MainWindow& window)
{
    panels::openPromptSet(window.explorer(), QStringLiteral("task:indirect-objects:100"));
    window.startAnalysis(service::AnalysisKind::Prompts);
    waitUntilFound(window, service::AnalysisKind::Prompts);
    window.explorer().edit(QStringLiteral("average"), [](control::Document& document) {
        document.set.average = analyses::SetAverage::Mean;
    });
}

void showGridsAlone(window::MainWindow& window)
{
    ablateTheAnswer(window);
    window.docks().setAlone(true);
}

void composeFigure(window::MainWindow& window)
{
    window.openComposer();
    const control::FigureRuns& figures = window.explorer().figures();
    waitUntil([&] { return figures.figure() && !figures.isStale(); });
}

void closeModels(window::MainWindow& window)
{
    for (const Side side : kSides)
        window.explorer().openModel(side, {});
}

void openAbsentModel(window::MainWindow& window)
{
    window.explorer().openModel(Side::Right, {});
    window.explorer().openModel(Side::Right, QStringLiteral("HuggingFaceTB/SmolLM2-360M"));
}

void showStartPage(window::MainWindow& window)
{
    window.startPage().ask();
}

void showTour(window::MainWindow& window, int step)
{
    window.tour().start();
    for (int done = 0; done < step; ++done)
        window.tour().next();
}

}  // namespace hs::app
