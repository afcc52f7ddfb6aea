#pragma once

#include "engine/run_result.h"
#include "figures/data_table.h"
#include "figures/drawing.h"
#include "figures/figure_form.h"
#include "render/grid_layout.h"

#include <QList>

#include <optional>
#include <set>
#include <vector>

namespace hs {

/// A cell of a pattern, counted from 0.
struct CellAddress {
    int query = 0;
    int key = 0;

    friend bool operator==(const CellAddress&, const CellAddress&) = default;
};

/// Heads of one model as tiles.
struct TilePanel {
    QString title;
    QString caption;  // one line of figures below the title
    RunResult result;
    std::vector<HeadId> heads;        // in drawing order
    int columns = 0;                  // tiles a row; 0 puts layers in rows and heads in columns
    std::set<HeadId> ablated;         // drawn hatched
    std::optional<CellAddress> mark;  // outlined in every tile
    std::vector<QString> below;       // [tile] a few characters under each; empty: none
};

/// "64 of 64 heads · active edges 0.42 % · loss 1.20 · 2 ablated".
QString describeRun(const TilePanel& panel);

/// Colours of the 256 values of a cell under the form's map, scale and limits.
QList<QRgb> cellColours(const FigureForm& form);

/// One head's cells in these colours, one pixel a cell; its largest weight gets the last colour
/// where the form says so. Of a head that the run has.
QImage cellImage(const RunResult& result, HeadId head, const FigureForm& form);

/// Rising lines over an even ground: a head that is ablated.
void drawHatching(Drawing& drawing, const QRectF& tile, double lineWidth);

/// Where a panel's tiles lie, and how they are labelled, once the side of a tile is known.
class TilePanelLayout {
public:
    /// `tileSide` in points.
    TilePanelLayout(const TilePanel& panel, const FigureForm& form, double tileSide);

    /// With heading, row and column labels, and what stands below tiles.
    QSizeF size() const { return m_size; }
    /// Of a tile, from the panel's top left corner.
    QRectF tile(int index) const;

    /// How wide the heading is when nothing of it is cut.
    double headingWidth() const { return m_headingWidth; }
    /// Where the tiles begin, below heading and column labels; panels beside each other share it.
    double gridTop() const { return m_origin.y(); }
    void setGridTop(double top);

    /// Draws it all with the panel's top left corner at `at`. The heading may be wider than the tiles.
    void draw(Drawing& drawing, QPointF at, double headingWidth = 0) const;

private:
    void drawTile(Drawing& drawing, int index, const QRectF& place) const;
    void drawLabel(Drawing& drawing, HeadId head, const QRectF& tile) const;
    QRectF labelPlace(HeadId head, const QRectF& tile, double width) const;
    void drawMark(Drawing& drawing, const QRectF& tile) const;
    void drawHeaders(Drawing& drawing, QPointF at) const;
    bool hasLabelsInside() const { return m_labelSize > 0; }
    QString rowHeader(int row) const;
    QString columnHeader(int column) const;
    QString emptyText() const;

    const TilePanel& m_panel;
    const FigureForm& m_form;
    TileMetrics m_metrics;
    GridLayout m_grid;
    double m_labelSize = 0;  // of labels inside of tiles; 0: rows and columns are labelled instead
    double m_headingHeight = 0;
    double m_headingWidth = 0;
    QPointF m_origin;  // of the grid
    QSizeF m_size;
};

/// The largest side of a tile, up to `most`, with which panels that stand beside each other (or on
/// top of each other) are at most `width` wide.
double fittingTileSide(const std::vector<TilePanel>& panels, bool isStacked, const FigureForm& form,
                       double width, double most);

/// Panel, layer, head, query, key and weight of every cell of the tiles on or below the diagonal;
/// queries and keys are tokens where a tile has a cell for each, and else cells.
DataTable table(const std::vector<TilePanel>& panels);

}  // namespace hs
