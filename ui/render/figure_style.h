#pragma once

#include <QColor>
#include <QFont>
#include <QPainterPath>
#include <QString>

class QPaintDevice;

namespace hs {

/// The look of a figure: text sizes and spaces in its own units (points on paper, pixels on
/// screen). Colours are the paper's, whatever theme the desktop wears.
struct FigureStyle {
    double title = 11;
    double caption = 8;
    double small = 7;       // colour bar and note
    double margin = 10;     // around the figure
    double panelGap = 18;   // between panels
    double frame = 0.5;     // line around a tile
    double leastLabel = 4;  // labels shrink below it only where the tile is too small for it

    static FigureStyle paper() { return {}; }
    static FigureStyle screen() { return {15, 12, 11, 20, 32, 1, 8}; }

    static constexpr QRgb kGround = 0xfff3f5f7;  // of the window, around the paper
    static constexpr QRgb kPaper = 0xffffffff;
    static constexpr QRgb kInk = 0xff1d232b;
    static constexpr QRgb kQuietInk = 0xff6b7482;
    static constexpr QRgb kFrame = 0xffcbd1d9;
    static constexpr QRgb kHatchGround = 0xfff4f5f7;
    static constexpr QRgb kHatchLine = 0xffb4bbc6;
    static constexpr QRgb kAccent = 0xff0b6e99;        // also the left side's
    static constexpr QRgb kSecondAccent = 0xffe08a2e;  // the right side's
    static constexpr QRgb kMark = 0xffcf222e;          // marked cells and tokens
};

/// The figure's typeface, `size` units high on any device.
QFont figureFont(const QPaintDevice* device, double size, QFont::Weight weight);

/// Width of a line of text in the same units, without a device.
double textWidth(const QString& text, double size, QFont::Weight weight);

/// The shapes of a line of text, set from `baseline` on.
QPainterPath textOutline(QPointF baseline, const QString& text, double size, QFont::Weight weight);

}  // namespace hs
