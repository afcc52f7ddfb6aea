#include "panels/widgets/side_title.h"

#include "panels/widgets/panel_style.h"

#include <QPainter>

namespace hs::panels {

SideTitle::SideTitle(Side side, QWidget* parent) : QLabel(parent), m_side(side)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    QFont bold = font();
    bold.setBold(true);
    setFont(bold);
}

void SideTitle::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(sideColour(m_side, palette()));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, width()));
}

}  // namespace hs::panels
