#pragma once

#include "base/side.h"

#include <QLabel>

namespace hs::panels {

/// The title of a side's part of a panel, in the side's colour, cut short if it is too long.
class SideTitle : public QLabel {
    Q_OBJECT

public:
    explicit SideTitle(Side side, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override { return {24, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Side m_side;
};

}  // namespace hs::panels
