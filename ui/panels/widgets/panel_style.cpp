#include "panels/widgets/panel_style.h"

#include "render/figure_style.h"

#include <QLocale>

#include <cmath>

namespace hs::panels {

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Base).lightness() < 128;
}

QColor sideColour(Side side, const QPalette& palette)
{
    const QColor colour = QColor::fromRgb(side == Side::Left ? render::FigureStyle::kAccent
                                                             : render::FigureStyle::kSecondAccent);
    return isDark(palette) ? colour.lighter(side == Side::Left ? 160 : 110) : colour;
}

QColor markColour(const QPalette& palette)
{
    const QColor colour = QColor::fromRgb(render::FigureStyle::kMark);
    return isDark(palette) ? colour.lighter(140) : colour;
}

QColor quietInk(const QPalette& palette)
{
    return palette.color(QPalette::PlaceholderText);
}

QPalette paperPalette()
{
    QPalette palette;
    for (const QPalette::ColorRole role : {QPalette::Window, QPalette::Base})
        palette.setColor(role, QColor::fromRgb(render::FigureStyle::kPaper));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text})
        palette.setColor(role, QColor::fromRgb(render::FigureStyle::kInk));
    palette.setColor(QPalette::PlaceholderText, QColor::fromRgb(render::FigureStyle::kQuietInk));
    palette.setColor(QPalette::Mid, QColor::fromRgb(render::FigureStyle::kFrame));
    palette.setColor(QPalette::Highlight, QColor::fromRgb(render::FigureStyle::kAccent));
    return palette;
}

QString formatNumber(double value, int decimals)
{
    return std::isnan(value)
               ? QStringLiteral("–")
               : QLocale().toString(value, 'f', decimals).replace(QLatin1Char('-'), QChar(0x2212));
}

QString signedNumber(double value, int decimals)
{
    return (value > 0 ? QStringLiteral("+") : QString()) + formatNumber(value, decimals);
}

QString formatPercent(double share, int decimals)
{
    if (std::isnan(share))
        return QStringLiteral("–");
    const bool isZero = std::abs(100 * share) < 0.5 * std::pow(10.0, -decimals);  // not −0
    return QStringLiteral("%1 %").arg(QLocale().toString(isZero ? 0 : 100 * share, 'f', decimals));
}

}  // namespace hs::panels
