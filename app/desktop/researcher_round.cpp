#include "app/desktop/researcher_round.h"

#include "app/desktop/window_at_rest.h"
#include "base/failure.h"
#include "composer/figure_composer.h"
#include "composer/figure_export.h"
#include "control/analyses/analysis_runs.h"
#include "control/document/demo_prompt.h"
#include "control/explorer/explorer.h"
#include "control/figures/figure_runs.h"
#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "panels/prompt/prompt_edit.h"
#include "window/main_window.h"

#include <QAction>
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QTemporaryDir>

#include <algorithm>
#include <chrono>
#include <functional>

namespace hs::app {
namespace {

/// The demo's question as people write it, and as the demo's corrupted prompt asks it.
constexpr const char* kQuestion = "When Mary and John went to the store, John gave a drink to";
constexpr const char* kCorruptedQuestion = "When Mary and John went to the store, Mary gave a drink to";

class Round {
public:
    Round(window::MainWindow& window, const std::string& pictures) : m_window(window), m_pictures(pictures)
    {
        if (!pictures.empty() && !QDir().mkpath(QString::fromStdString(pictures)))
            fail(ErrorCode::BadFile, pictures + " cannot be made; choose another folder.");
    }

    /// `act` returns once its result is painted.
    void step(const char* name, const std::string& note, const std::function<void()>& act)
    {
        QElapsedTimer timer;
        timer.start();
        act();
        m_window.grids().repaint();
        m_steps.push_back(
            {std::string("ui_round_") + name, static_cast<double>(timer.nsecsElapsed()) / 1e6, "ms", note});
        take(m_window, name);
    }

    void take(QWidget& shown, const char* name) const
    {
        if (m_pictures.empty())
            return;
        waitUntilSettled(m_window);
        const QString file = QDir(QString::fromStdString(m_pictures))
                                 .filePath(QStringLiteral("%1-%2.png")
                                               .arg(m_steps.size(), 2, 10, QLatin1Char('0'))
                                               .arg(QString::fromLatin1(name)));
        if (!shown.grab().save(file))
            fail(ErrorCode::BadFile, file.toStdString() + " cannot be written; check the folder.");
    }

    const std::vector<bench::Measurement>& steps() const { return m_steps; }

private:
    window::MainWindow& m_window;
    std::string m_pictures;
    std::vector<bench::Measurement> m_steps;
};

void sendMouse(QWidget& widget, QEvent::Type type, QPointF at, Qt::MouseButton button = Qt::NoButton)
{
    const Qt::MouseButtons held = type == QEvent::MouseButtonPress ? button : Qt::NoButton;
    QMouseEvent event(type, at, widget.mapToGlobal(at), button, held, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
}

void click(QWidget& widget, QPointF at)
{
    sendMouse(widget, QEvent::MouseButtonPress, at, Qt::LeftButton);
    sendMouse(widget, QEvent::MouseButtonRelease, at, Qt::LeftButton);
}

void trigger(window::MainWindow& window, const char* keys)
{
    for (QAction* const action : window.findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(QString::fromLatin1(keys)))
            return action->trigger();
    fail(ErrorCode::Internal, std::string("No action has the key ") + keys + "; please report this.");
}

/// Until both sides show another run than they do now.
void waitForRuns(window::MainWindow& window, const std::function<void()>& act)
{
    const control::Explorer& explorer = window.explorer();
    const auto runOf = [&](Side side) { return explorer.state(side).run; };
    const std::array before = {runOf(Side::Left), runOf(Side::Right)};
    act();
    waitUntil([&] {
        return std::ranges::all_of(kSides, [&](Side side) {
            return runOf(side) != before[indexOf(side)] && !explorer.state(side).isStale;
        });
    });
}

void analyse(window::MainWindow& window, service::AnalysisKind kind)
{
    static constexpr std::chrono::minutes kAnalysisTakesAtMost(20);
    const control::AnalysisRuns& analyses = window.explorer().analyses();
    window.startAnalysis(kind);
    waitUntil([&] { return !analyses.isRunning(kind); }, kAnalysisTakesAtMost);
    for (const Side side : kSides)
        if (const control::AnalysisState& state = analyses.state(kind, side); !state.finding)
            fail(ErrorCode::BadRequest, state.problem.toStdString());
}

}  // namespace

std::vector<bench::Measurement> measureRound(window::MainWindow& window, const std::string& model,
                                             const std::string& pictures)
{
    control::Explorer& explorer = window.explorer();
    grid::Canvas& canvas = window.grids().grid(Side::Left).canvas();
    const auto middleOf = [&](HeadId head) { return canvas.tileRect(head).center(); };
    Round round(window, pictures);
    control::Document start;
    control::setPrompt(start, QString::fromUtf8(control::kDemoPrompt));
    for (const Side side : kSides)
        start.side(side).model = QString::fromStdString(model);

    round.step("open", model + " beside itself, to its first tiles", [&] {
        explorer.reset(start);
        waitUntilSettled(window);
    });
    for (const Side side : kSides)
        if (!explorer.state(side).problem.isEmpty())
            fail(ErrorCode::BadRequest, explorer.state(side).problem.toStdString());
    const HeadShape heads = explorer.state(Side::Left).model->heads;
    const HeadId middle = heads.at(heads.total() / 2);

    round.step("prompt", "from the last keystroke to both grids", [&] {
        waitForRuns(window, [&] {
            auto& edit = *window.findChild<panels::PromptEdit*>(QStringLiteral("promptEdit"));
            edit.selectAll();
            edit.insertPlainText(QString::fromUtf8(kQuestion));
        });
    });
    round.step("hover", "a cell, marked in both grids",
               [&] { sendMouse(canvas, QEvent::MouseMove, middleOf(middle)); });
    round.step("mask", "the first token taken out", [&] { trigger(window, "T"); });
    round.step("ablate", "from a click on a head to redrawn tiles of both grids", [&] {
        waitForRuns(window, [&] {
            click(canvas, middleOf(middle));
            explorer.toggleAblation(Side::Right, {middle});
        });
    });
    explorer.edit(QStringLiteral("ask"), [](control::Document& document) {
        document.target = QString::fromUtf8(control::kDemoTarget);
        document.distractor = QString::fromUtf8(control::kDemoVersus);
        document.corrupted = QString::fromUtf8(kCorruptedQuestion);
        for (const Side side : kSides)
            document.side(side).ablations.clear();
    });
    waitUntilSettled(window);
    const std::string all = std::to_string(heads.total()) + " heads";
    round.step("sweep", all, [&] { analyse(window, service::AnalysisKind::Sweep); });
    round.step("circuit", all, [&] { analyse(window, service::AnalysisKind::Circuit); });

    const QTemporaryDir folder;
    composer::FigureComposer* composer = nullptr;
    round.step("figure", "from opening the composer to its preview", [&] {
        composer = &window.openComposer();
        const control::FigureRuns& figures = explorer.figures();
        waitUntil([&] { return figures.figure() && !figures.isStale(); });
    });
    round.take(*composer, "composer");
    round.step("export", "the figure as a PDF", [&] {
        bool isDone = false;
        std::string problem;
        composer::FigureExport& exports = composer->exports();
        QObject::connect(&exports, &composer::FigureExport::done, composer, [&] { isDone = true; });
        QObject::connect(&exports, &composer::FigureExport::failed, composer,
                         [&](const QString& sentence) { problem = sentence.toStdString(); });
        exports.writeTo(folder.filePath(QStringLiteral("round.pdf")).toStdString());
        waitUntil([&] { return isDone || !problem.empty(); });
        if (!isDone)
            fail(ErrorCode::BadFile, problem);
        exports.disconnect(composer);
    });
    return round.steps();
}

}  // namespace hs::app
