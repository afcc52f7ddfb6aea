#pragma once

#include "figures/parts/tile_panel.h"
#include "render/grid_layout.h"

namespace hs::figures {

/// Where a panel's tiles are, and how they are labelled, for a given side of a tile.
class TilePanelLayout {
public:
    /// `tileSide` in points.
    TilePanelLayout(const TilePanel& panel, const Form& form, double tileSide);

    /// Including heading, row and column labels, and texts below tiles.
    QSizeF size() const { return m_size; }
    /// A tile's place, from the panel's top left corner.
    QRectF tile(int index) const;
    QRectF mlpTile(const render::GridLayout::Mlp& mlp) const;
    const render::GridLayout& places() const { return m_grid; }

    /// The full width of the heading.
    double headingWidth() const { return m_headingWidth; }
    /// Where the tiles begin, below heading and column labels; panels beside each other share it.
    double gridTop() const { return m_origin.y(); }
    void setGridTop(double top);

    /// Draws everything with the panel's top left corner at `at`. The heading may be wider than the tiles.
    void draw(Drawing& drawing, QPointF at, double headingWidth = 0) const;

private:
    void drawTile(Drawing& drawing, int index, const QRectF& place) const;
    void drawMlp(Drawing& drawing, const render::GridLayout::Mlp& mlp, const QRectF& place) const;
    void drawMark(Drawing& drawing, const QRectF& tile) const;
    void drawHeaders(Drawing& drawing, QPointF at) const;
    bool hasLabelsInside() const { return m_labelSize > 0; }
    bool isMatrix() const { return m_panel.flow.kind != render::TileFlow::Kind::Wrapped; }
    double widestHeader() const;
    QString emptyText() const;

    const TilePanel& m_panel;
    const Form& m_form;
    render::TileMetrics m_metrics;
    render::GridLayout m_grid;
    double m_labelSize = 0;  // of labels inside tiles; 0: rows and columns are labelled instead
    double m_headingHeight = 0;
    double m_headingWidth = 0;
    QPointF m_origin;  // of the grid
    QSizeF m_size;
};

/// The largest side of a tile, up to `most`, at which panels beside each other (or on top of each other)
/// are at most `width` wide.
double fittingTileSide(const std::vector<TilePanel>& panels, bool isStacked, const Form& form, double width,
                       double most);

}  // namespace hs::figures
