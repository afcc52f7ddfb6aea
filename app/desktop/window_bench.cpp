#include "app/desktop/window_bench.h"

#include "app/desktop/application.h"
#include "app/desktop/click_bench.h"
#include "app/desktop/figure_benchmark.h"
#include "app/desktop/grid_benchmark.h"
#include "app/desktop/researcher_round.h"
#include "app/desktop/window_arguments.h"
#include "app/desktop/window_at_rest.h"
#include "base/failure.h"
#include "base/system_memory.h"
#include "base/text_format.h"
#include "base/timing.h"
#include "control/explorer/explorer.h"
#include "grid/head_grids.h"
#include "window/main_window.h"
#include "window/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <random>
#include <sstream>

namespace hs::app {
namespace {

/// Records how long events keep the UI thread busy.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        const bool isOutermost = m_depth++ == 0;
        const char* const name = receiver->metaObject()->className();
        const int type = event->type();
        if (isOutermost)
            m_timer.start();
        const bool isHandled = QApplication::notify(receiver, event);
        --m_depth;
        if (const double elapsed = static_cast<double>(m_timer.nsecsElapsed()) / 1e6;
            isOutermost && elapsed > m_longest) {
            m_longest = elapsed;
            m_what = "event " + std::to_string(type) + " of " + name;
        }
        return isHandled;
    }

    /// Milliseconds of the longest event since the last call.
    double takeLongest() { return std::exchange(m_longest, 0); }
    /// "event 12 of hs::grid::Canvas": the longest.
    const std::string& what() const { return m_what; }

private:
    int m_depth = 0;
    QElapsedTimer m_timer;
    double m_longest = 0;
    std::string m_what;
};

/// Milliseconds since the system started this process.
double processAge()
{
    std::ifstream file("/proc/self/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream fields(text.substr(text.rfind(')') + 2));
    static constexpr int kStartTime = 22 - 3;  // field 22, counted from field 3, which comes first here
    std::string field;
    for (int index = 0; index <= kStartTime; ++index)
        fields >> field;
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    const double start = std::stod(field) / static_cast<double>(sysconf(_SC_CLK_TCK));
    return 1000 * (static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) - start);
}

std::vector<bench::Measurement> measureAblations(window::MainWindow& window)
{
    static constexpr int kAblations = 60;
    control::Explorer& explorer = window.explorer();
    std::vector<double> times;
    for (int round = 0; round < kAblations; ++round) {
        const HeadShape heads = explorer.state(Side::Left).model->heads;
        const auto before = explorer.state(Side::Left).run;
        QElapsedTimer timer;
        timer.start();
        explorer.toggleAblation(Side::Left, {heads.at(round % heads.total())});
        waitUntil([&] { return explorer.state(Side::Left).run != before; });
        window.grids().repaint();
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    return {{"ui_ablation_p50", percentile(times, 0.5), "ms", "from an ablation to redrawn tiles, demo pair"},
            {"ui_ablation_p95", percentile(times, 0.95), "ms", "goal: 100"}};
}

std::vector<bench::Measurement> measureFlood(window::MainWindow& window, TimedApplication& application)
{
    static constexpr int kRequests = 500;
    control::Explorer& explorer = window.explorer();
    std::mt19937 random(4);
    const HeadShape heads = explorer.state(Side::Left).model->heads;
    const double before = static_cast<double>(residentMemory().value_or(0));
    application.takeLongest();
    QElapsedTimer timer;
    timer.start();
    for (int request = 0; request < kRequests; ++request) {
        const auto side = kSides[random() % 2];
        explorer.toggleAblation(
            side, {heads.at(static_cast<int>(random() % static_cast<unsigned>(heads.total())))});
        QCoreApplication::processEvents();
    }
    waitUntilSettled(window);
    const double elapsed = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    const bool isLast = std::all_of(kSides.begin(), kSides.end(), [&explorer](Side side) {
        return explorer.state(side).run->request.ablations == explorer.document().side(side).ablations;
    });
    if (!isLast)
        fail(ErrorCode::Internal, "The last of many requests is not what is shown; please report this.");
    const double grown = static_cast<double>(residentMemory().value_or(0)) - before;
    return {{"ui_flood", elapsed, "ms", "500 random ablations until the last one is shown"},
            {"ui_flood_longest", application.takeLongest(), "ms", "longest event meanwhile; goal: 50"},
            {"ui_flood_memory", grown / 1e6, "MB", "more memory afterwards"}};
}

std::vector<bench::Measurement> measureModel(window::MainWindow& window, TimedApplication& application,
                                             const std::string& model)
{
    static constexpr int kSentences = 16;
    control::Explorer& explorer = window.explorer();
    explorer.edit(QStringLiteral("all heads"), [](control::Document& document) {
        for (const Side side : kSides)
            document.side(side).ablations.clear();
    });
    waitUntilSettled(window);
    application.takeLongest();
    const auto before = explorer.state(Side::Left).run;
    QElapsedTimer timer;
    timer.start();
    explorer.openModel(Side::Left, QString::fromStdString(model));
    waitUntil([&] {
        const control::SideState& state = explorer.state(Side::Left);
        return (state.run && state.run != before) || !state.problem.isEmpty();
    });
    window.grids().repaint();
    const double firstTiles = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    waitUntilSettled(window);
    if (!explorer.state(Side::Left).problem.isEmpty())
        fail(ErrorCode::BadRequest, explorer.state(Side::Left).problem.toStdString());
    const double loading = application.takeLongest();
    explorer.edit(QStringLiteral("long prompt"), [](control::Document& document) {
        control::setPrompt(
            document,
            QStringLiteral("Once upon a time there was a little dog in the park. ").repeated(kSentences));
    });
    waitUntilSettled(window);
    const auto tokens = explorer.state(Side::Left).run->tokens.size();
    return {{"ui_model_first_tiles", firstTiles, "ms",
             "from opening " + model + " to the tiles of its first layers"},
            {"ui_model_loading_longest", loading, "ms", "longest event while " + model + " loads; goal: 50"},
            {"ui_model_running_longest", application.takeLongest(), "ms",
             "longest event while it runs " + std::to_string(tokens) + " tokens; goal: 50"}};
}

}  // namespace

std::vector<bench::Measurement> benchmarkDesktop(const std::string& model, const std::string& pictures)
{
    const double loaded = processAge();
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    nameApplication();
    QtArguments qt;
    TimedApplication application(qt.count, qt.words);
    window::applyTheme(application, control::Preferences::Theme::Light);
    const QTemporaryDir folder;
    window::Setup setup = windowSetup({});
    setup.settings =
        std::make_unique<QSettings>(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    setup.recoveryFolder = folder.filePath(QStringLiteral("recovery")).toStdString();
    const std::shared_ptr<const service::Machines> machines = setup.machines;
    window::MainWindow window(std::move(setup));
    window.resize(1600, 1000);
    window.show();
    application.takeLongest();
    const double shown = processAge();
    waitUntil([&window] { return window.explorer().state(Side::Left).run != nullptr; });
    window.grids().repaint();
    std::vector<bench::Measurement> all = {
        {"ui_first_tiles", processAge(), "ms",
         "from the start of the process: " + shortNumber(loaded) + " until its libraries are loaded, " +
             shortNumber(shown) + " until the window is made, " +
             shortNumber(window.explorer().state(Side::Left).run->milliseconds) + " in the run; goal: 1000"}};
    waitUntilSettled(window);
    all.push_back({"ui_start_longest", application.takeLongest(), "ms",
                   "longest event while both models load and run: " + application.what()});
    const auto add = [&all](const std::vector<bench::Measurement>& part) {
        all.insert(all.end(), part.begin(), part.end());
    };
    add(measureAblations(window));
    add(measureFlood(window, application));
    for (const int tokens : {128, 1000})
        add(benchmarkGrid(tokens));
    if (!model.empty()) {
        add(measureModel(window, application, model));
        add(measureClicks(window, *machines, model));
        add(measureRound(window, model, pictures));
    }
    return all;
}

std::vector<bench::Measurement> benchmarkFigureFiles()
{
    drawWithoutDisplay();
    QtArguments qt;
    const QGuiApplication application(qt.count, qt.words);
    return benchmarkFigures();
}

}  // namespace hs::app
