#pragma once

#include <QPushButton>

namespace hs::panels {

/// A button in the accent colour: the one thing to do in a panel, or a switch that is tinted while
/// it is on, so that its state shows in every theme.
class AccentButton : public QPushButton {
    Q_OBJECT

public:
    using QPushButton::QPushButton;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace hs::panels
