#pragma once

#include "control/explorer/explorer.h"

#include <QTimer>
#include <QWidget>

class QProgressBar;
class QStatusBar;
class QToolButton;

namespace hs::grid {
class ElidedLabel;
}

namespace hs::window {

class WaitHints;

/// "Running Qwen2.5-1.5B: layer 12 of 28, 3 s so far, about 4 s left".
QString describeWait(const control::Activity& activity, control::Activity::Clock::time_point now);

/// Fills what is left of a status bar: the worker's current stage with progress and a Cancel button, or else
/// how the last run went, the device and the memory in use; and what helps if runs take long. UI thread.
class StatusLine : public QObject {
    Q_OBJECT

public:
    StatusLine(control::Explorer& explorer, QStatusBar& bar);

Q_SIGNALS:
    void promptRequested();

private:
    void refresh();
    bool areRunsLong() const;
    QString machine() const;

    control::Explorer& m_explorer;
    grid::ElidedLabel* m_stage;
    QProgressBar* m_progress;
    WaitHints* m_hints;
    QToolButton* m_cancel;
    QTimer m_patience;  // brief work shows no progress
    QTimer m_tick;
};

}  // namespace hs::window
