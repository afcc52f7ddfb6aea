#include "app/desktop/application.h"
#include "app/desktop/window_arguments.h"
#include "app/desktop/window_at_rest.h"
#include "app/screenshots/scenes.h"
#include "app/support/messages.h"
#include "base/failure.h"
#include "control/analyses/analysis_runs.h"
#include "control/explorer/explorer.h"
#include "grid/mlp_tiles.h"
#include "window/main_window.h"
#include "window/theme.h"

#include <CLI/CLI.hpp>
#include <QApplication>
#include <QDir>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace hs::app {
namespace {

struct ScreenshotArguments {
    std::string out = "screenshots";
    bool isForGuide = false;
    std::optional<int> width;
    std::optional<int> height;
    double pixelRatio = 1;
    std::optional<double> fontSize;  // in points; none: the desktop's
    std::string only;                // one picture's name; empty: all

    std::span<const Scene> scenes() const { return isForGuide ? guideScenes() : windowScenes(); }
    /// The window's initial size, or one at which panels are as wide as the guide's column.
    QSize size() const
    {
        const QSize usual = isForGuide ? QSize(1200, 820) : QSize(1440, 900);
        return {width.value_or(usual.width()), height.value_or(usual.height())};
    }
};

/// Settled, with what the MLPs' tiles show, which the window asks for once it rests.
void waitUntilComplete(window::MainWindow& window)
{
    waitUntilSettled(window);
    const control::Explorer& explorer = window.explorer();
    waitUntil([&explorer] {
        return std::ranges::all_of(kSides, [&explorer](Side side) {
            const control::AnalysisState& state =
                explorer.analyses().state(service::AnalysisKind::Attribution, side);
            return !grid::showsMlps(explorer, side) || !state.problem.isEmpty() ||
                   (state.finding && !state.isOutdated);
        });
    });
    waitUntilSettled(window);
}

void take(const Scene& scene, const ScreenshotArguments& arguments, QApplication& application)
{
    const QTemporaryDir folder;  // fresh settings, none left behind
    window::Setup setup = windowSetup({});
    setup.settings =
        std::make_unique<QSettings>(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    setup.recoveryFolder = folder.filePath(QStringLiteral("recovery")).toStdString();
    window::applyTheme(application, scene.theme);
    window::MainWindow window(std::move(setup));
    window.resize(arguments.size());
    window.show();
    waitUntilSettled(window);
    scene.arrange(window);
    QWidget& shown = scene.shown(window);
    waitUntilComplete(window);
    shown.grab();  // requests what other threads paint, at this size
    waitUntilSettled(window);
    const QString file = QDir(QString::fromStdString(arguments.out))
                             .filePath(QString::fromLatin1(scene.name) + QStringLiteral(".png"));
    if (!shown.grab().save(file))
        fail(ErrorCode::BadFile, file.toStdString() + " cannot be written; check the folder.");
    say("Wrote " + file.toStdString());
}

void takeAll(const ScreenshotArguments& arguments)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_SCALE_FACTOR", QByteArray::number(arguments.pixelRatio));
    nameApplication();
    QtArguments qt;
    QApplication application(qt.count, qt.words);
    if (arguments.fontSize) {
        QFont font = QApplication::font();
        font.setPointSizeF(*arguments.fontSize);
        QApplication::setFont(font);
    }
    QDir().mkpath(QString::fromStdString(arguments.out));
    for (const Scene& scene : arguments.scenes())
        if (arguments.only.empty() || arguments.only == scene.name)
            take(scene, arguments, application);
}

int runScreenshots(int count, char** words)
{
    ScreenshotArguments arguments;
    CLI::App app("Draws the pictures of HeadScope's README and guide.", "headscope-screenshots");
    app.add_option("--out", arguments.out, "Folder they go to")->type_name("DIR")->capture_default_str();
    app.add_flag("--guide", arguments.isForGuide, "Those of the guide instead: most are of single panels");
    app.add_option("--width", arguments.width, "Of the window")->check(CLI::Range(640, 8192));
    app.add_option("--height", arguments.height, "Of the window")->check(CLI::Range(480, 8192));
    app.add_option("--pixel-ratio", arguments.pixelRatio, "Pixels of the picture for one of the window's")
        ->check(CLI::Range(1.0, 4.0))
        ->capture_default_str();
    app.add_option("--font-size", arguments.fontSize, "Of the desktop's font, in points")
        ->check(CLI::Range(6.0, 32.0));
    std::vector<std::string> names;
    for (const std::span<const Scene> scenes : {windowScenes(), guideScenes()})
        for (const Scene& scene : scenes)
            if (std::ranges::find(names, scene.name) == names.end())
                names.push_back(scene.name);
    app.add_option("--only", arguments.only, "The one picture to draw")
        ->type_name("NAME")
        ->check(CLI::IsMember(names));
    CLI11_PARSE(app, count, words);
    return exitStatusOf([&] { takeAll(arguments); });
}

}  // namespace
}  // namespace hs::app

int main(int count, char** words)
{
    return hs::app::runScreenshots(count, words);
}
