#include "window/theme.h"

#include "render/figure_style.h"

#include <QApplication>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>

namespace hs::window {
namespace {

struct Shades {
    QRgb window, base, alternate, button, ink, quiet, line, shadow, accent, onAccent;
};

constexpr Shades kLight = {0xfff3f5f7,
                           0xffffffff,
                           0xfff8f9fb,
                           0xffeaeef2,
                           render::FigureStyle::kInk,
                           render::FigureStyle::kQuietInk,
                           render::FigureStyle::kFrame,
                           0xff9aa3af,
                           render::FigureStyle::kAccent,
                           0xffffffff};
constexpr Shades kDark = {0xff262c34, 0xff14181d, 0xff1a1f25, 0xff343c47, 0xffe6e9ed,
                          0xff9aa4b2, 0xff4a5461, 0xff0b0d10, 0xff4aa8d0, 0xff0d1216};

QPalette paletteOf(const Shades& shades)
{
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, QRgb colour) {
        palette.setColor(role, QColor::fromRgb(colour));
    };
    set(QPalette::Window, shades.window);
    set(QPalette::Base, shades.base);
    set(QPalette::AlternateBase, shades.alternate);
    set(QPalette::Button, shades.button);
    set(QPalette::ToolTipBase, shades.base);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        set(role, shades.ink);
    set(QPalette::PlaceholderText, shades.quiet);
    set(QPalette::Light, shades.base);
    set(QPalette::Midlight, shades.button);
    set(QPalette::Mid, shades.line);
    set(QPalette::Dark, shades.shadow);
    set(QPalette::Shadow, shades.shadow);
    set(QPalette::Highlight, shades.accent);
    set(QPalette::HighlightedText, shades.onAccent);
    set(QPalette::Link, shades.accent);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, QColor::fromRgb(shades.quiet));
    return palette;
}

bool isDarkDesktop()
{
    static const bool isDark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    return isDark;
}

}  // namespace

void applyTheme(QApplication& application, control::Preferences::Theme theme)
{
    const bool isDark = theme == control::Preferences::Theme::Dark ||
                        (theme == control::Preferences::Theme::System && isDarkDesktop());
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setPalette(paletteOf(isDark ? kDark : kLight));
}

}  // namespace hs::window
