#pragma once

#include "control/explorer/explorer.h"

#include <QToolButton>

namespace hs::window {

/// A button for models whose runs take long: its menu has what makes the wait shorter or rarer on this
/// machine. UI thread.
class WaitHints : public QToolButton {
    Q_OBJECT

public:
    explicit WaitHints(control::Explorer& explorer, QWidget* parent = nullptr);

Q_SIGNALS:
    void promptRequested();

private:
    void fill();
    void offer(const QString& text, const QString& toolTip,
               const std::function<void(control::Preferences&)>& change);

    control::Explorer& m_explorer;
};

}  // namespace hs::window
