#pragma once

#include "control/explorer/explorer.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QStatusBar;
class QToolButton;

namespace hs::window {

/// Fills a status bar: the worker's current stage with progress and a Cancel button, or else how the last run
/// went; at the right the device and the memory in use. UI thread.
class StatusLine : public QObject {
    Q_OBJECT

public:
    StatusLine(control::Explorer& explorer, QStatusBar& bar);

private:
    void refresh();
    void refreshMachine();

    control::Explorer& m_explorer;
    QLabel* m_stage;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    QLabel* m_machine;
    QTimer m_patience;  // brief work shows no progress
    QTimer m_memory;
};

}  // namespace hs::window
