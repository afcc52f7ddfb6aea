#include "window/status_line.h"

#include "base/system_memory.h"
#include "base/text_format.h"
#include "grid/elided_label.h"
#include "window/wait_hints.h"

#include <QLocale>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace hs::window {
namespace {

constexpr int kPatienceMilliseconds = 200;
constexpr int kTickMilliseconds = 1000;
constexpr double kLongSeconds = 3;  // a run that takes longer is worth an advice
constexpr int kLeastLetters = 12;   // of the stage, in a narrow window

QString lastRun(const control::SideState& state)
{
    const engine::RunResult& run = state.run->after;
    return StatusLine::tr("%1 %2 ms from layer %3")
        .arg(QString::fromStdString(state.model->title), QLocale().toString(run.milliseconds, 'f', 1))
        .arg(run.firstLayerComputed);
}

QString formatWait(control::Activity::Seconds wait)
{
    const double seconds = std::ceil(wait.count());
    return seconds < 100 ? StatusLine::tr("%1 s").arg(seconds)
                         : StatusLine::tr("%1 min").arg(std::ceil(seconds / 60));
}

}  // namespace

QString describeWait(const control::Activity& activity, control::Activity::Clock::time_point now)
{
    QStringList parts = {activity.step.isEmpty() ? activity.stage + QStringLiteral(" …")
                                                 : activity.stage + QStringLiteral(": ") + activity.step};
    const auto elapsed = std::chrono::floor<std::chrono::seconds>(now - activity.since);
    if (activity.since != control::Activity::Clock::time_point() && elapsed.count() >= 1) {
        parts << StatusLine::tr("%1 so far").arg(formatWait(elapsed));
        if (const auto left = activity.left(now))
            parts << StatusLine::tr("about %1 left").arg(formatWait(*left));
    }
    return parts.join(QStringLiteral(", "));
}

StatusLine::StatusLine(control::Explorer& explorer, QStatusBar& bar)
    : QObject(&bar), m_explorer(explorer), m_stage(new grid::ElidedLabel), m_progress(new QProgressBar),
      m_hints(new WaitHints(explorer)), m_cancel(new QToolButton)
{
    m_stage->setObjectName(QStringLiteral("stage"));
    m_stage->setRole(QPalette::PlaceholderText);
    m_stage->setMinimumWidth(kLeastLetters * m_stage->fontMetrics().averageCharWidth());
    m_progress->setObjectName(QStringLiteral("progress"));
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setFixedSize(96, 10);
    m_progress->setTextVisible(false);
    m_cancel->setObjectName(QStringLiteral("cancel"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(tr("Stop this work; what is shown stays (Escape, Ctrl+.)"));
    m_cancel->setShortcut(Qt::Key_Escape);  // while it is visible
    m_cancel->setAutoRaise(true);
    bar.addWidget(m_progress);
    bar.addWidget(m_stage, 1);
    bar.addWidget(m_hints);
    bar.addWidget(m_cancel);
    m_progress->hide();
    m_hints->hide();
    m_cancel->hide();
    connect(m_hints, &WaitHints::promptRequested, this, &StatusLine::promptRequested);
    connect(m_cancel, &QToolButton::clicked, &explorer, &control::Explorer::cancel);

    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMilliseconds);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        m_progress->show();
        m_cancel->show();
    });
    m_tick.setInterval(kTickMilliseconds);
    connect(&m_tick, &QTimer::timeout, this, &StatusLine::refresh);
    m_tick.start();
    connect(&explorer, &control::Explorer::activityChanged, this, &StatusLine::refresh);
    connect(&explorer, &control::Explorer::stateChanged, this, &StatusLine::refresh);
    refresh();
}

void StatusLine::refresh()
{
    const control::Activity& activity = m_explorer.activity();
    m_hints->setVisible(areRunsLong());
    if (activity.isBusy) {
        m_stage->setText(describeWait(activity, control::Activity::Clock::now()));
        m_progress->setRange(0, activity.total);
        m_progress->setValue(activity.done);
        if (!m_progress->isVisible() && !m_patience.isActive())
            m_patience.start();
        return;
    }
    m_patience.stop();
    m_progress->hide();
    m_cancel->hide();
    QStringList runs;
    for (const Side side : kSides)
        if (const control::SideState& state = m_explorer.state(side);
            state.run && state.model && m_explorer.whyNoRun(side).isEmpty())
            runs << lastRun(state);
    const QString ready =
        runs.isEmpty() ? tr("Ready") : tr("Ready · last run: %1").arg(runs.join(QStringLiteral(", ")));
    m_stage->setText(QStringList{ready, machine()}.join(QStringLiteral(" · ")));
}

/// Whether the last run took long, or the one under way does.
bool StatusLine::areRunsLong() const
{
    const control::Activity& activity = m_explorer.activity();
    const auto now = control::Activity::Clock::now();
    const auto elapsed = activity.total > 0 ? control::Activity::Seconds(now - activity.since)
                                            : control::Activity::Seconds::zero();
    const double wait =
        elapsed.count() + activity.left(now).value_or(control::Activity::Seconds::zero()).count();
    return std::any_of(kSides.begin(), kSides.end(), [&](Side side) {
        const control::SideState& state = m_explorer.state(side);
        return (state.run && state.run->after.milliseconds > 1000 * kLongSeconds) ||
               (state.part && activity.isBusy && wait > kLongSeconds);
    });
}

QString StatusLine::machine() const
{
    QStringList facts;
    for (const Side side : kSides)
        if (const auto& model = m_explorer.state(side).model; model && m_explorer.whyNoRun(side).isEmpty())
            facts << QStringLiteral("%1, %2").arg(QString::fromStdString(model->device),
                                                  QString::fromStdString(model->precision));
    facts.removeDuplicates();
    if (const auto used = residentMemory())
        facts << tr("%1 in use").arg(QString::fromStdString(formatBytes(*used)));
    return facts.join(QStringLiteral(" · "));
}

}  // namespace hs::window
