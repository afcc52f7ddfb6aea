#include "commands.h"

#include "base/failure.h"
#include "composer/figure_composer.h"
#include "control/analysis_desk.h"
#include "control/explorer.h"
#include "control/figure_desk.h"
#include "desktop_application.h"
#include "desktop_driver.h"
#include "desktop_session.h"
#include "window/main_window.h"
#include "window/theme.h"
#include "words.h"

#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>
#include <vector>

namespace hs {
namespace {

struct Arguments {
    std::string out = "screenshots";
    int width = 1440;  // what the window starts with
    int height = 900;
    double pixelRatio = 1;
    std::string only;  // one picture's name; empty: all
};

/// One picture: what is done to a fresh window on the demo pair before it is taken, and whether it is
/// of the composer instead.
struct Scene {
    const char* name;
    Preferences::Theme theme;
    void (*arrange)(MainWindow&);
    bool isOfComposer = false;
};

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
        if (std::any_of(tile, tile + run.tileSide * run.tileSide, [](std::uint8_t cell) { return cell > 0; }))
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

void showDifference(MainWindow& window)
{
    ablateInBoth(window, firstActiveHead(window));
    window.explorer().edit(QStringLiteral("difference"),
                           [](Document& document) { document.difference = Difference::AfterAblation; });
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
    const AnalysisDesk& desk = window.explorer().analyses();
    waitUntil([&] {
        return std::all_of(kSides.begin(), kSides.end(), [&](Side side) {
            const AnalysisState& state = desk.state(kind, side);
            const bool isAsked = kind != AnalysisKind::Compare || side == Side::Left;
            return !isAsked || (state.finding && !state.isOutdated && !state.finding->isPartial);
        });
    });
}

template <AnalysisKind kind>
void analyse(MainWindow& window)
{
    askForTheName(window);
    window.explorer().edit(QStringLiteral("badges"), [](Document& document) {
        document.badges = {TileBadges::Kind::Rank, kind, 10};
        if (kind == AnalysisKind::Scatter || kind == AnalysisKind::Flow)
            document.badges.kind = TileBadges::Kind::None;
    });
    window.startAnalysis(kind);
    waitUntilFound(window, kind);
}

/// The head that matters most has the output that it has on the corrupted prompt, another one none.
void patchHeads(MainWindow& window)
{
    analyse<AnalysisKind::Circuit>(window);
    const AnalysisDesk& desk = window.explorer().analyses();
    std::array<std::vector<RankedHead>, 2> ranked;  // [Side]
    for (const Side side : kSides)
        ranked[indexOf(side)] = ranking(*desk.state(AnalysisKind::Circuit, side).finding->result);
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
    const FigureDesk& desk = window.explorer().figures();
    waitUntil([&] { return desk.figure() && !desk.isStale(); });
}

constexpr auto kLight = Preferences::Theme::Light;
constexpr auto kDark = Preferences::Theme::Dark;
constexpr Scene kScenes[] = {
    {"matrix-light", kLight, ablateTheAnswer},
    {"matrix-dark", kDark, ablateTheAnswer},
    {"ranked-list", kLight, rankHeads},
    {"key-query", kLight, pinCell},
    {"key-query-dark", kDark, pinCell},
    {"inspector", kLight, inspectHead},
    {"inspector-dark", kDark, inspectHead},
    {"difference", kLight, showDifference},
    {"difference-dark", kDark, showDifference},
    {"sweep", kLight, analyse<AnalysisKind::Sweep>},
    {"circuit", kLight, analyse<AnalysisKind::Circuit>},
    {"circuit-dark", kDark, analyse<AnalysisKind::Circuit>},
    {"attribution", kLight, analyse<AnalysisKind::Attribution>},
    {"scatter", kLight, analyse<AnalysisKind::Scatter>},
    {"compare", kLight, analyse<AnalysisKind::Compare>},
    {"flow", kLight, analyse<AnalysisKind::Flow>},
    {"patching", kLight, patchHeads},
    {"composer", kLight, composeFigure, true},
    {"composer-dark", kDark, composeFigure, true},
};

void take(const Scene& scene, const Arguments& arguments, QApplication& application)
{
    const QTemporaryDir folder;  // nobody's settings, and none left behind
    WindowSetup setup = windowSetup({});
    setup.settings =
        std::make_unique<QSettings>(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    setup.recoveryFolder = folder.filePath(QStringLiteral("recovery")).toStdString();
    applyTheme(application, scene.theme);
    MainWindow window(std::move(setup));
    window.resize(arguments.width, arguments.height);
    window.show();
    waitUntilSettled(window);
    scene.arrange(window);
    waitUntilSettled(window);
    const QString file = QDir(QString::fromStdString(arguments.out))
                             .filePath(QString::fromLatin1(scene.name) + QStringLiteral(".png"));
    QWidget& shown = scene.isOfComposer ? static_cast<QWidget&>(window.openComposer()) : window;
    if (!shown.grab().save(file))
        fail(ErrorCode::BadFile, file.toStdString() + " cannot be written; check the folder.");
    say("Wrote " + file.toStdString());
}

void takeAll(const Arguments& arguments)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_SCALE_FACTOR", QByteArray::number(arguments.pixelRatio));
    nameApplication();
    QtArguments qt;
    QApplication application(qt.count, qt.words);
    QDir().mkpath(QString::fromStdString(arguments.out));
    for (const Scene& scene : kScenes)
        if (arguments.only.empty() || arguments.only == scene.name)
            take(scene, arguments, application);
}

}  // namespace

void addScreenshotsCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App& command = *app.add_subcommand("screenshots", "Draw the pictures of the window for the guide");
    command.add_option("--out", arguments->out, "Folder they go to")->type_name("DIR")->capture_default_str();
    command.add_option("--width", arguments->width, "Of the window")
        ->check(CLI::Range(640, 8192))
        ->capture_default_str();
    command.add_option("--height", arguments->height, "Of the window")
        ->check(CLI::Range(480, 8192))
        ->capture_default_str();
    command
        .add_option("--pixel-ratio", arguments->pixelRatio, "Pixels of the picture for one of the window's")
        ->check(CLI::Range(1.0, 4.0))
        ->capture_default_str();
    std::vector<std::string> names;
    for (const Scene& scene : kScenes)
        names.push_back(scene.name);
    command.add_option("--only", arguments->only, "The one picture to draw")
        ->type_name("NAME")
        ->check(CLI::IsMember(names));
    command.callback([arguments, &action] { action = [arguments] { takeAll(*arguments); }; });
}

}  // namespace hs
