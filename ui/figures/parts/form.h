#pragma once

#include "render/colour_map.h"
#include "render/label_corner.h"

#include <QString>

namespace hs::figures {

/// How a figure looks on paper, whatever it shows. A value, stored with the figure.
struct Form {
    double width = 180;          // of the page, in mm; narrower if the content is
    QString fontFamily;          // empty: the program's own typeface
    double fontSize = 7;         // of normal text, in points
    double lineWidth = 0.5;      // of frames and axes, in points
    double dotsPerInch = 300;    // for pixel files
    bool isTransparent = false;  // no ground instead of a white one
    QString colourMap = render::ColourMap::names().front();
    render::Scale scale = render::Scale::SquareRoot;
    double lowest = 0;       // weight that gets the first colour
    double highest = 1;      // weight that gets the last colour
    bool isPerHead = false;  // each head's largest weight gets the last colour
    bool hasColourBar = true;
    bool hasCaption = true;
    QString caption;  // empty: a description of the settings
    render::LabelCorner labelCorner = render::LabelCorner::TopRight;

    /// Text is never smaller than this: labels are thinned out first.
    static constexpr double kLeastText = 5;

    double titleSize() const { return 1.3 * fontSize; }
    double smallSize() const { return 0.85 * fontSize < kLeastText ? kLeastText : 0.85 * fontSize; }

    friend bool operator==(const Form&, const Form&) = default;
};

/// Widths of a double column and a single one in most journals, in mm.
inline constexpr double kTwoColumns = 180;
inline constexpr double kOneColumn = 85;

constexpr double pointsOf(double millimetres)
{
    return millimetres * 72 / 25.4;
}

}  // namespace hs::figures
