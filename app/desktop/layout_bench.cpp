#include "app/desktop/layout_bench.h"

#include "app/desktop/application.h"
#include "app/desktop/window_arguments.h"
#include "app/desktop/window_at_rest.h"
#include "grid/head_grids.h"
#include "window/main_window.h"
#include "window/theme.h"

#include <QApplication>
#include <QTemporaryDir>

#include <array>
#include <cmath>

namespace hs::app {
namespace {

constexpr QSize kWindows[] = {{1280, 720}, {1440, 900}, {1920, 1080}, {3840, 2160}};
constexpr HeadShape kShapes[] = {{8, 8, 8},    {12, 12, 12}, {18, 4, 4},   {24, 14, 14},
                                 {28, 12, 12}, {30, 9, 9},   {32, 32, 32}, {48, 25, 25}};
constexpr HeadShape kOther = {30, 9, 9};
constexpr double kCanvasGoal = 2.0 / 3;
constexpr double kAlikeGoal = 0.7;
constexpr double kGoal = 0.6;
constexpr double kNearLargest = 0.95;

std::string sizeName(QSize size)
{
    return std::to_string(size.width()) + "x" + std::to_string(size.height());
}

std::string shapeName(const HeadShape& shape)
{
    return std::to_string(shape.layers) + "x" + std::to_string(shape.heads);
}

grid::GridNeed needOf(const HeadShape& shape)
{
    grid::GridNeed need;
    for (int index = 0; index < shape.total(); ++index)
        need.heads.push_back(shape.at(index));
    return need;
}

std::string flowName(const render::TileFlow& flow)
{
    const std::string count = std::to_string(flow.count);
    switch (flow.kind) {
    case render::TileFlow::Kind::LayersDown: return "layers down in " + count;
    case render::TileFlow::Kind::LayersAcross: return "layers across in " + count;
    case render::TileFlow::Kind::Wrapped: break;
    }
    return "wrapped at " + count;
}

/// The needs and the plan of one pair as a line: how large its tiles are, and whether that meets the goal.
bench::Measurement lineOf(const HeadShape& left, const HeadShape& right, QSize window, grid::PlanNeeds needs)
{
    needs.grids = {needOf(left), needOf(right)};
    const grid::Plan plan = grid::planGrids(needs);
    const double share = grid::tileShare(needs, plan);
    const double largest = grid::largestPossibleSide(needs);
    const bool isUsed = share >= (left == right ? kAlikeGoal : kGoal);
    const std::string verdict =
        isUsed ? ""
        : plan.side >= kNearLargest * largest
            ? "; no layout has tiles over " + std::to_string(std::lround(largest)) + " px"
            : "; below its goal";
    return {"tiles_" + shapeName(left) + "_" + shapeName(right) + "_" + sizeName(window), 100 * share, "%",
            "tiles of " + std::to_string(std::lround(plan.side)) + " px, " + flowName(plan.flows[0]) +
                " and " + std::to_string(plan.flows[1].count) +
                (plan.isStacked ? ", stacked" : ", side by side") + verdict};
}

}  // namespace

std::vector<bench::Measurement> measureLayouts()
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    nameApplication();
    QtArguments qt;
    QApplication application(qt.count, qt.words);
    window::applyTheme(application, control::Preferences::Theme::Light);
    std::vector<bench::Measurement> all;
    for (const QSize size : kWindows) {
        const QTemporaryDir folder;  // a new user's settings
        window::Setup setup = windowSetup({});
        setup.settings = std::make_unique<QSettings>(folder.filePath(QStringLiteral("settings.ini")),
                                                     QSettings::IniFormat);
        setup.recoveryFolder = folder.filePath(QStringLiteral("recovery")).toStdString();
        window::MainWindow window(std::move(setup));
        window.resize(size);
        window.show();
        waitUntilSettled(window);
        const grid::PlanNeeds& needs = window.grids().needs();
        const double titles = (window.grids().plan().isStacked ? 2 : 1) * needs.titleHeight;
        const double canvas = needs.room.width() * (needs.room.height() - titles);
        const double share = canvas / (static_cast<double>(window.width()) * window.height());
        all.push_back({"canvas_" + sizeName(size), 100 * share, "%",
                       share >= kCanvasGoal ? "of the window at first start"
                                            : "of the window at first start; below its goal"});
        for (const HeadShape& shape : kShapes)
            for (const HeadShape& other :
                 shape.layers == kOther.layers ? std::vector{shape} : std::vector{shape, kOther})
                all.push_back(lineOf(shape, other, size, needs));
    }
    return all;
}

}  // namespace hs::app
