#include "window/status_line.h"

#include "base/system_memory.h"
#include "base/text_format.h"
#include "grid/elided_label.h"

#include <QLocale>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

namespace hs::window {
namespace {

constexpr int kPatienceMilliseconds = 200;
constexpr int kMemoryMilliseconds = 2000;
constexpr int kLeastLetters = 12;  // of the stage, in a narrow window

QString lastRun(const control::SideState& state)
{
    const engine::RunResult& run = state.run->after;
    return StatusLine::tr("%1 %2 ms from layer %3")
        .arg(state.model->title, QLocale().toString(run.milliseconds, 'f', 1))
        .arg(run.firstLayerComputed);
}

}  // namespace

StatusLine::StatusLine(control::Explorer& explorer, QStatusBar& bar)
    : QObject(&bar), m_explorer(explorer), m_stage(new grid::ElidedLabel), m_progress(new QProgressBar),
      m_cancel(new QToolButton)
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
    m_cancel->setToolTip(tr("Stop this work; what is shown stays (Ctrl+.)"));
    m_cancel->setAutoRaise(true);
    bar.addWidget(m_progress);
    bar.addWidget(m_stage, 1);
    bar.addWidget(m_cancel);
    m_progress->hide();
    m_cancel->hide();
    connect(m_cancel, &QToolButton::clicked, &explorer, &control::Explorer::cancel);

    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMilliseconds);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        m_progress->show();
        m_cancel->show();
    });
    m_memory.setInterval(kMemoryMilliseconds);
    connect(&m_memory, &QTimer::timeout, this, &StatusLine::refresh);
    m_memory.start();
    connect(&explorer, &control::Explorer::activityChanged, this, &StatusLine::refresh);
    connect(&explorer, &control::Explorer::stateChanged, this, &StatusLine::refresh);
    refresh();
}

void StatusLine::refresh()
{
    const control::Activity& activity = m_explorer.activity();
    if (activity.isBusy) {
        m_stage->setText(activity.stage + QStringLiteral(" …"));
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
    for (const control::Side side : control::kSides)
        if (const control::SideState& state = m_explorer.state(side); state.run && state.model)
            runs << lastRun(state);
    const QString ready =
        runs.isEmpty() ? tr("Ready") : tr("Ready · last run: %1").arg(runs.join(QStringLiteral(", ")));
    m_stage->setText(QStringList{ready, machine()}.join(QStringLiteral(" · ")));
}

QString StatusLine::machine() const
{
    QStringList facts;
    for (const control::Side side : control::kSides)
        if (const auto& model = m_explorer.state(side).model)
            facts << QStringLiteral("%1, %2").arg(model->device, model->precision);
    facts.removeDuplicates();
    if (const auto used = residentMemory())
        facts << tr("%1 in use").arg(QString::fromStdString(formatBytes(*used)));
    return facts.join(QStringLiteral(" · "));
}

}  // namespace hs::window
