#pragma once

#include <QColor>
#include <QFont>
#include <QPainterPath>
#include <QString>
#include <QStringList>

class QPaintDevice;

namespace hs::render {

/// Colours of figures: those of paper, whatever the desktop's theme.
struct FigureStyle {
    static constexpr QRgb kGround = 0xfff3f5f7;  // of the window around the paper
    static constexpr QRgb kPaper = 0xffffffff;
    static constexpr QRgb kInk = 0xff1d232b;
    static constexpr QRgb kQuietInk = 0xff6b7482;
    static constexpr QRgb kFrame = 0xffcbd1d9;
    static constexpr QRgb kHatchGround = 0xfff4f5f7;
    static constexpr QRgb kHatchLine = 0xffb4bbc6;
    static constexpr QRgb kPatchGround = 0xffebf3f7;  // of the hatching of patched heads
    static constexpr QRgb kPatchLine = 0xff6da8c2;
    static constexpr QRgb kAccent = 0xff0b6e99;        // also of the left side
    static constexpr QRgb kSecondAccent = 0xffe08a2e;  // of the right side
    static constexpr QRgb kMark = 0xffcf222e;          // marked cells and tokens
};

/// Font families to try in turn: `family` unless it is empty, then the program's own.
QStringList figureFamilies(const QString& family);

/// The figure's typeface for a text, `size` units high on any device. `family` is tried first; if empty, only
/// the program's own are.
QFont figureFont(const QPaintDevice* device, const QString& text, double size, QFont::Weight weight,
                 const QString& family = {});

/// Width of a line of text in the same units, without a device.
double textWidth(const QString& text, double size, QFont::Weight weight, const QString& family = {});

/// The outlines of a line of text that starts at `baseline`.
QPainterPath textOutline(QPointF baseline, const QString& text, double size, QFont::Weight weight,
                         const QString& family = {});

}  // namespace hs::render
