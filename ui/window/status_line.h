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

/// Fills what is left of a status bar: the worker's current stage with progress and a Cancel button, or else
/// how the last run went, the device and the memory in use. UI thread.
class StatusLine : public QObject {
    Q_OBJECT

public:
    StatusLine(control::Explorer& explorer, QStatusBar& bar);

private:
    void refresh();
    QString machine() const;

    control::Explorer& m_explorer;
    grid::ElidedLabel* m_stage;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    QTimer m_patience;  // brief work shows no progress
    QTimer m_memory;
};

}  // namespace hs::window
