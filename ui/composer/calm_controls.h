#pragma once

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QWheelEvent>

namespace hs::composer {

/// A control whose value the wheel changes only while it has the focus; otherwise the wheel scrolls the
/// form around it.
template <class Control>
class Calm : public Control {
public:
    Calm() { this->setFocusPolicy(Qt::StrongFocus); }

protected:
    void wheelEvent(QWheelEvent* event) override
    {
        if (this->hasFocus())
            Control::wheelEvent(event);
        else
            event->ignore();
    }
};

using CalmBox = Calm<QDoubleSpinBox>;
using CalmCombo = Calm<QComboBox>;

}  // namespace hs::composer
