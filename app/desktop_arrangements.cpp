#include "desktop_arrangements.h"

#include "control/analysis_runs.h"
#include "control/explorer.h"
#include "control/figure_runs.h"
#include "desktop_driver.h"
#include "window/main_window.h"

#include <QDockWidget>

#include <algorithm>

namespace hs {
namespace {

/// A head that attends from a query to a key.
struct Edge {
    HeadId head;
    int query = 0;
    int key = 0;
};

/// The sparse model's strongest edge into the prompt's last token: what it answers by.
Edge answeringEdge(MainWindow& window)
{
    const RunResult& run = window.explorer().state(Side::Right).run->after;
    Edge best{{}, run.tileSide - 1, 0};
    int most = -1;
    for (int index = 0; index < run.heads.total(); ++index)
        for (int key = 0; key < run.tileSide; ++key) {
            const HeadId head = run.heads.at(index);
            const int weight = run.tileOf(head)[best.query * run.tileSide + key];
            if (weight > most) {
                most = weight;
                best.head = head;
                best.key = key;
            }
        }
    return best;
}

/// The first head of the sparse model that attends to anything.
HeadId firstActiveHead(MainWindow& window)
{
    const RunResult& run = window.explorer().state(Side::Right).run->after;
    for (int index = 0; index < run.heads.total(); ++index) {
        const std::uint8_t* const tile = run.tileOf(run.heads.at(index));
        if (std::any_of(tile, tile + std::size_t(run.tileSide) * run.tileSide,
                        [](std::uint8_t cell) { return cell > 0; }))
            return run.heads.at(index);
    }
    return {};
}

void ablateInBoth(MainWindow& window, HeadId head)
{
    for (const Side side : kSides)
        window.explorer().toggleAblation(side, {head});
    window.explorer().setCurrent(Side::Left, head);
}

/// The question of the demo's first example: whose name comes next, and a prompt in which it is the
/// other one.
void askForTheName(MainWindow& window)
{
    window.explorer().edit(QStringLiteral("ask"), [](Document& document) {
        document.target = QStringLiteral("Mary");
        document.distractor = QStringLiteral("John");
        document.corrupted =
            QString(document.prompt).replace(QStringLiteral("John gave"), QStringLiteral("Mary gave"));
    });
    waitUntilSettled(window);
}

/// Until the analysis says what it is asked of every side.
void waitUntilFound(MainWindow& window, AnalysisKind kind)
{
    const AnalysisRuns& analyses = window.explorer().analyses();
    waitUntil([&] {
        return std::all_of(kSides.begin(), kSides.end(), [&](Side side) {
            const AnalysisState& state = analyses.state(kind, side);
            const bool isAsked = kind != AnalysisKind::Compare || side == Side::Left;
            return !isAsked || (state.finding && !state.isOutdated && !state.finding->isPartial);
        });
    });
}

}  // namespace

void ablateTheAnswer(MainWindow& window)
{
    ablateInBoth(window, answeringEdge(window).head);
}

void rankHeads(MainWindow& window)
{
    window.explorer().edit(QStringLiteral("rank"), [](Document& document) {
        document.arrangement = Arrangement::Stacked;
        document.look.labelCorner = LabelCorner::TopLeft;
        for (const Side side : kSides) {
            GridChoice& grid = document.side(side).grid;
            grid.form = GridChoice::Form::List;
            grid.order = QStringLiteral("peak");
            grid.columns = 22;  // three rows each: the largest tiles
        }
    });
    window.explorer().setCurrent(Side::Right, answeringEdge(window).head);
}

void pinCell(MainWindow& window)
{
    const Edge edge = answeringEdge(window);
    window.explorer().edit(QStringLiteral("pin"), [&](Document& document) {
        document.key = edge.key;
        document.query = edge.query;
    });
    window.explorer().setCurrent(Side::Right, edge.head);
    window.findChild<QDockWidget*>(QStringLiteral("edgesDock"))->raise();
}

void inspectHead(MainWindow& window)
{
    const Edge edge = answeringEdge(window);
    window.openHead(edge.head);
    window.explorer().setHover({Side::Left, edge.head, edge.query, edge.key});
    window.findChild<QDockWidget*>(QStringLiteral("headsDock"))->raise();
    window.resizeDocks({window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"))},
                       {window.width() * 2 / 5}, Qt::Horizontal);
}

void inspectWidely(MainWindow& window)
{
    inspectHead(window);
    window.resizeDocks({window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"))},
                       {window.width() * 3 / 5}, Qt::Horizontal);
}

void showDifference(MainWindow& window)
{
    ablateInBoth(window, firstActiveHead(window));
    window.explorer().edit(QStringLiteral("difference"),
                           [](Document& document) { document.difference = Difference::AfterAblation; });
}

void analyse(MainWindow& window, AnalysisKind kind)
{
    askForTheName(window);
    window.explorer().edit(QStringLiteral("badges"), [kind](Document& document) {
        document.badges = {TileBadges::Kind::Rank, kind, 10};
        if (kind == AnalysisKind::Scatter || kind == AnalysisKind::Flow)
            document.badges.kind = TileBadges::Kind::None;
    });
    window.startAnalysis(kind);
    waitUntilFound(window, kind);
}

void patchHeads(MainWindow& window)
{
    analyse(window, AnalysisKind::Circuit);
    const AnalysisRuns& analyses = window.explorer().analyses();
    std::array<std::vector<RankedHead>, 2> ranked;  // [Side]
    for (const Side side : kSides)
        ranked[indexOf(side)] = ranking(*analyses.state(AnalysisKind::Circuit, side).finding->result);
    window.explorer().edit(QStringLiteral("patch"), [&](Document& document) {
        document.badges = {};
        document.tool.kind = HeadAblation::Kind::Replace;
        for (const Side side : kSides)
            document.side(side).ablations = {{ranked[indexOf(side)][0].head, HeadAblation::Kind::Replace},
                                             {ranked[indexOf(side)][1].head, HeadAblation::Kind::Zero}};
    });
    window.explorer().setCurrent(Side::Left, ranked[0][0].head);
    window.findChild<QDockWidget*>(QStringLiteral("headsDock"))->raise();
}

void composeFigure(MainWindow& window)
{
    window.openComposer();
    const FigureRuns& figures = window.explorer().figures();
    waitUntil([&] { return figures.figure() && !figures.isStale(); });
}

}  // namespace hs
