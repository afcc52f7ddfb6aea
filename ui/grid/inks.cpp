#include "grid/inks.h"

#include "render/figure_style.h"

#include <cmath>

namespace hs::grid {

Inks Inks::of(const QPalette& palette)
{
    const auto colour = [&](QPalette::ColorRole role) { return palette.color(QPalette::Active, role).rgb(); };
    Inks inks;
    inks.ground = colour(QPalette::Base);
    inks.ink = colour(QPalette::Text);
    const QColor quiet = palette.color(QPalette::Active, QPalette::PlaceholderText);
    inks.quiet = mixed(quiet.rgb(), inks.ground, quiet.alphaF());
    inks.frame = colour(QPalette::Mid);
    inks.accent = colour(QPalette::Highlight);
    inks.isDark = qGray(inks.ground) < 128;
    inks.mark = inks.isDark ? QColor::fromRgb(render::FigureStyle::kMark).lighter(135).rgb()
                            : render::FigureStyle::kMark;
    inks.hatchGround = mixed(inks.ink, inks.ground, 0.05);
    inks.unmatched = mixed(inks.ink, inks.ground, 0.14);
    inks.hatchLine = mixed(inks.ink, inks.ground, 0.33);
    inks.patchGround = mixed(inks.accent, inks.ground, 0.08);
    inks.patchLine = mixed(inks.accent, inks.ground, 0.6);
    return inks;
}

render::LabelInks Inks::labels(QRgb tileGround) const
{
    const bool isOnDark = qGray(tileGround) < 128;
    render::LabelInks labels;
    labels.ink = isOnDark == isDark ? ink
                 : isOnDark         ? render::FigureStyle::kPaper
                                    : render::FigureStyle::kInk;
    labels.halo = tileGround;
    labels.ablatedInk = quiet;
    labels.ablatedHalo = hatchGround;
    labels.strike = ink;
    return labels;
}

QRgb mixed(QRgb colour, QRgb other, double share)
{
    const auto channel = [share](int a, int b) { return static_cast<int>(std::lround(b + share * (a - b))); };
    return qRgb(channel(qRed(colour), qRed(other)), channel(qGreen(colour), qGreen(other)),
                channel(qBlue(colour), qBlue(other)));
}

}  // namespace hs::grid
