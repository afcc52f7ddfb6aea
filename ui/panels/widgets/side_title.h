#pragma once

#include "control/document/side.h"

#include <QLabel>

namespace hs::panels {

/// The title of a side's part of a panel, in the side's colour, cut short if it is too long.
class SideTitle : public QLabel {
    Q_OBJECT

public:
    explicit SideTitle(control::Side side, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override { return {24, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    control::Side m_side;
};

}  // namespace hs::panels
