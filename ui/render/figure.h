#pragma once

#include "engine/run_result.h"
#include "render/colour_map.h"

#include <QString>

#include <filesystem>
#include <set>
#include <vector>

namespace hs {

enum class LabelCorner { TopRight, TopLeft, BottomRight, BottomLeft };

/// One model's heads: a title, one line of figures and a tile for each head.
struct GridPanel {
    QString title;
    QString caption;
    RunResult result;
    std::vector<HeadId> heads;  // in drawing order
    int columns = 0;            // tiles a row; 0 puts layers in rows and heads in columns
    std::set<HeadId> ablated;   // drawn hatched
};

/// Panels that share colours, scale and tile size, and how they lie on the page. A value: the same
/// figure is drawn the same on screen and on paper.
struct GridFigure {
    enum class Flow { SideBySide, Stacked };

    std::vector<GridPanel> panels;
    Flow flow = Flow::SideBySide;
    QString note;  // a line under the panels
    QString colourMap = ColourMap::names().front();
    Scale scale = Scale::SquareRoot;
    LabelCorner labelCorner = LabelCorner::TopRight;
    bool hasColourBar = true;
    double tileSide = 40;      // on paper, in points
    double dotsPerInch = 300;  // of pixel files
};

/// "64 of 64 heads · active edges 0.42 % · loss 1.20 · 2 ablated".
QString describeRun(const GridPanel& panel);

/// Writes a .png, .svg or .pdf, by suffix, and gives the path back. The file appears whole or not
/// at all, and the same figure gives the same bytes. Needs a QGuiApplication.
Result<std::filesystem::path> writeFigure(const GridFigure& figure, const std::filesystem::path& file);

}  // namespace hs
