#include "ui/monkey/stage.h"

#include "composer/figure_composer.h"
#include "control/analyses/analysis_runs.h"
#include "control/document/demo_prompt.h"
#include "control/explorer/explorer.h"
#include "control/figures/figure_runs.h"
#include "control/work/late_work.h"
#include "service/engine_backend.h"
#include "start/tour.h"
#include "ui/timed_application.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <array>
#include <utility>

namespace hs::test {
namespace {

const QString kResources = QStringLiteral(HS_SOURCE_DIR "/resources/models/");
const QString kGolden = QStringLiteral(HS_SOURCE_DIR "/tests/golden/models/");

QString complaint;

void noteComplaint(QtMsgType type, const QMessageLogContext&, const QString& message)
{
    // The offscreen platform does not support everything.
    const bool isOfPlatform = message.startsWith(QStringLiteral("This plugin does not support"));
    if (type != QtDebugMsg && type != QtInfoMsg && !isOfPlatform)
        complaint = message;
}

}  // namespace

Stage::Stage() : m_before(std::filesystem::current_path())
{
    std::filesystem::current_path(m_folder.path());
    std::filesystem::create_directory("training");
    for (const char* const step : {"training/step1", "training/step2", "training/step3"})
        std::filesystem::create_directory_symlink((kGolden + QStringLiteral("gpt2")).toStdString(), step);
    QGuiApplication::setQuitOnLastWindowClosed(false);
    open();
    qInstallMessageHandler(noteComplaint);
}

Stage::~Stage()
{
    qInstallMessageHandler(nullptr);
    m_window.reset();
    std::filesystem::current_path(m_before);
}

const QStringList& Stage::models()
{
    static const QStringList folders = {
        kResources + QStringLiteral("demo-dense"), kResources + QStringLiteral("demo-sparse"),
        kResources + QStringLiteral("demo-dense"), kResources + QStringLiteral("demo-sparse"),
        QStringLiteral("training/step2"),          QStringLiteral("training"),
        kGolden + QStringLiteral("gpt2"),          kGolden + QStringLiteral("llama-grouped"),
        kGolden + QStringLiteral("qwen3"),         QStringLiteral("/no/such/model"),
    };
    return folders;
}

void Stage::open()
{
    window::Setup setup;
    setup.backend = std::make_unique<service::EngineBackend>();
    setup.settings = std::make_unique<QSettings>(QString::fromStdString(file("settings.ini").string()),
                                                 QSettings::IniFormat);
    setup.recoveryFolder = file("recovery");
    control::setPrompt(setup.document, QString::fromUtf8(control::kDemoPrompt));
    setup.document.side(Side::Left).model = models()[0];
    setup.document.side(Side::Right).model = models()[1];
    m_window = std::make_unique<window::MainWindow>(std::move(setup));
    m_window->tour().setPause(0);  // what a click hits must not depend on how long a step waits
    QObject::connect(
        &explorer(), &control::Explorer::stateChanged, m_window.get(),
        [this, shown = std::array<std::shared_ptr<const service::OpenModel>, 2>()](Side side) mutable {
            const auto& model = explorer().state(side).model;
            if (std::exchange(shown[indexOf(side)], model) != model)
                TimedApplication::instance().expectFirstFrame();
        });
    m_window->setAnimated(false);  // where docks are must not depend on how long an animation takes
    m_window->resize(1280, 800);
    m_window->show();
}

bool Stage::reopenIfClosed()
{
    if (m_window->isVisible())
        return false;
    m_window.reset();
    open();
    return true;
}

bool Stage::isAtRest()
{
    control::Explorer& explorer = this->explorer();
    const bool isShown = std::all_of(kSides.begin(), kSides.end(), [&](Side side) {
        const control::SideState& state = explorer.state(side);
        return !state.isStale && !state.isLoading;
    });
    const bool isAnalysing =
        std::any_of(service::kAnalyses.begin(), service::kAnalyses.end(),
                    [&](service::AnalysisKind kind) { return explorer.analyses().isRunning(kind); });
    // A figure is made only while its window is open.
    const QWidgetList windows = QApplication::topLevelWidgets();
    const bool isMaking = std::any_of(windows.begin(), windows.end(), [&](QWidget* window) {
        const auto* const composer = qobject_cast<composer::FigureComposer*>(window);
        return composer && composer->isVisible() &&
               (explorer.figures().isStale() || !control::LateWork::isDoneIn(*composer));
    });
    return isShown && !isAnalysing && !isMaking && !explorer.activity().isBusy;
}

bool Stage::waitFor(const std::function<bool()>& holds)
{
    static constexpr int kMinute = 60'000;
    QElapsedTimer timer;
    timer.start();
    QTimer heartbeat;  // so that waiting for events ends
    heartbeat.start(5);
    QCoreApplication::processEvents();
    while (!holds()) {
        if (timer.elapsed() > kMinute)
            return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
    // A program's own event loop does this by itself.
    if (QThread::currentThread()->loopLevel() == 0)
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return true;
}

QString Stage::takeComplaint()
{
    return std::exchange(complaint, QString());
}

}  // namespace hs::test
