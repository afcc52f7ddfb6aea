#include "panels/widgets/accent_button.h"

#include "panels/widgets/panel_widgets.h"

#include <QStyleOptionButton>
#include <QStylePainter>

namespace hs::panels {

void AccentButton::paintEvent(QPaintEvent*)
{
    QStyleOptionButton option;
    initStyleOption(&option);
    QPalette& palette = option.palette;
    const QColor accent = palette.color(QPalette::Highlight);
    if (isEnabled() && !isCheckable()) {
        palette.setColor(QPalette::Button, accent);
        palette.setColor(QPalette::ButtonText, palette.color(QPalette::HighlightedText));
    } else if (isEnabled() && isChecked()) {
        palette.setColor(QPalette::Button, mixed(palette.color(QPalette::Button), accent, 0.35));
        option.state &= ~QStyle::State_On;
    }
    QStylePainter(this).drawControl(QStyle::CE_PushButton, option);
}

}  // namespace hs::panels
