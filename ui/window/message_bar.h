#pragma once

#include "control/explorer/explorer.h"

#include <QFrame>
#include <QTimer>

class QLabel;
class QToolButton;

namespace hs::window {

/// Tells the user what happened and what to do, above the grids, without interrupting. Notes disappear by
/// themselves, warnings and errors stay until they are dismissed or replaced.
class MessageBar : public QFrame {
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    void show(const control::Message& message);
    /// Offers a button that does something about the message.
    void show(const control::Message& message, const QString& action, std::function<void()> act);
    void dismiss();
    /// Dismisses this message, if it is the one shown: what it says no longer holds.
    void withdraw(const QString& text);
    QString text() const;
    /// Whether the message disappears without being dismissed.
    bool leavesByItself() const { return m_leave.isActive(); }

private:
    QLabel* m_sign;
    QLabel* m_text;
    QToolButton* m_action;
    QTimer m_leave;
    std::function<void()> m_act;
};

}  // namespace hs::window
