#pragma once

#include "base/head_change.h"
#include "panels/inspector/map_colours.h"
#include "panels/inspector/map_viewport.h"
#include "panels/widgets/shown_tokens.h"
#include "text/token_match.h"

#include <QStringList>
#include <QWidget>

namespace hs::panels {

class MapCanvas;
class MapOverlay;

/// One head's map, query down and key right, with its tokens and its colour bar. The wheel zooms at the
/// pointer, dragging pans, a double click shows everything; arrow keys move the cell. With Shift a click cuts a cell
/// and dragging a block; with Control as well whole columns, with Alt whole rows.
class HeadPlot : public QWidget {
    Q_OBJECT

public:
    explicit HeadPlot(QWidget* parent = nullptr);

    /// The visible part stays the same as long as the numbers of queries and keys do.
    void setMap(const HeadMap& map, const MapColours& colours);
    void setTokens(const AxisLabels& labels);
    void setDimmed(bool isDimmed);
    void setMarks(std::optional<text::TokenSpan> query, std::optional<text::TokenSpan> key);
    void setEdited(const QList<QRectF>& cells);

    const MapViewport& view() const { return m_view; }
    void setSeen(const QRectF& seen);
    /// Where a cell is, in widget pixels.
    QRectF cellRect(MapCell cell) const { return m_view.rectOf(cell); }

    /// The height that a map needs at this width, with its labels.
    int heightFor(int width) const;

    QSize sizeHint() const override { return {320, 320}; }
    QSize minimumSizeHint() const override { return {120, 110}; }

Q_SIGNALS:
    void cellHovered(hs::panels::MapCell cell);
    void hoverLeft();
    void cellPicked(hs::panels::MapCell cell);
    void blockCut(hs::CellBlock block);
    void pickTakenBack();     // the pick was the first half of a double click
    void releaseRequested();  // Escape
    void seenChanged(QRectF seen);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// The largest map that fits there: of square cells, but never much longer than wide or the reverse.
    QSize mapSize(QSize room) const;
    void place();
    void moveCell(int queries, int keys);
    void zoom(QPointF at, double factor);
    void setView(const MapViewport& view);
    /// None for all positions: then the other axis alone is marked, as a band.
    static std::optional<text::TokenSpan> spanOf(const PositionRange& range);
    /// The block between two cells, or all of their rows or columns.
    static CellBlock blockOf(MapCell from, MapCell to, Qt::KeyboardModifiers modifiers);

    MapViewport m_view;
    std::optional<MapCell> m_cell;     // under the pointer or chosen by keyboard
    std::optional<QPointF> m_pressed;  // where the left button went down
    QPointF m_draggedTo;
    bool m_isDragging = false;
    std::optional<MapCell> m_cutFrom;  // where a block to cut begins

    MapCanvas* m_canvas;
    MapOverlay* m_overlay;
};

}  // namespace hs::panels
