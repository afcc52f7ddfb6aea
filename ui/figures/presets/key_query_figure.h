#pragma once

#include "figures/parts/tile_panel.h"

namespace hs::figures {

/// Which heads map one key to one query. Each side has all its tiles with the cell marked and, drawn
/// large, the heads whose weight there is above the threshold.
struct KeyQuerySide {
    TilePanel all;                // with `mark`
    std::vector<HeadId> mapping;  // strongest first
    std::vector<double> weights;  // [mapping] at the cell
};

struct KeyQueryFigure {
    std::vector<KeyQuerySide> sides;
    CellId cell;
    QString key;  // text of the token there
    QString query;
    double threshold = 0;
    QString caption;
};

Drawing draw(const KeyQueryFigure& figure, const Form& form);
DataTable table(const KeyQueryFigure& figure);

}  // namespace hs::figures
