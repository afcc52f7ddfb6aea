#pragma once

#include <QPushButton>

namespace hs::panels {

/// A button in the accent colour: a panel's main action, or a switch that is tinted while it is on, so that
/// its state is visible in every theme.
class AccentButton : public QPushButton {
    Q_OBJECT

public:
    using QPushButton::QPushButton;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace hs::panels
