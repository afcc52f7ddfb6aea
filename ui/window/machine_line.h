#pragma once

#include "service/machines.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QLabel;
class QToolButton;

namespace hs::window {

/// Tells in the status bar of lines to other machines that are not as they should be, and tries them again.
/// Hidden while all is well.
class MachineLine : public QWidget {
    Q_OBJECT

public:
    explicit MachineLine(std::shared_ptr<service::Machines> machines, QWidget* parent = nullptr);
    ~MachineLine() override;

Q_SIGNALS:
    void cameBack();  // a line that was refused is connected: what failed may be asked again

private:
    void refresh();

    std::shared_ptr<service::Machines> m_machines;
    QLabel* m_text;
    QToolButton* m_retry;
    QTimer m_tick;
    bool m_wasRefused = false;
};

}  // namespace hs::window
