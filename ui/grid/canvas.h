#pragma once

#include "grid/content.h"
#include "grid/picture.h"
#include "grid/zoom.h"

#include <QVariantAnimation>
#include <QWidget>

#include <memory>
#include <optional>
#include <set>

class QGestureEvent;
class QHelpEvent;
class QNativeGestureEvent;

namespace hs::grid {

class Minimap;

/// The tiles of one grid and everything that mouse, touch and keys do to them. Zooms itself; everything
/// else it signals as a fact or a request. The owner sets content and marks.
///
/// A left click ablates, with Shift it cuts a cell of a tile whose cells are large enough; Ctrl adds to the
/// selection, a drag selects with a rubber band; the middle button, or Alt with the left one, pans, as does a
/// drag where a tile fills the view. The wheel zooms at the pointer, two fingers on a touchpad pan.
class Canvas : public QWidget {
    Q_OBJECT

public:
    explicit Canvas(QWidget* parent = nullptr);
    ~Canvas() override;

    const Content& content() const { return *m_content; }
    void setContent(Content content);
    const Marks& marks() const { return m_marks; }
    void setMarks(Marks marks);

    const control::GridZoom& zoom() const { return m_zoom; }
    /// Applies the zoom at once; emits zoomChanged if it differs.
    void setZoom(const control::GridZoom& zoom);
    void zoomBy(double factor);  // about the view's centre, animated
    void fit();
    void actualSize();
    /// Zooms to the heads' tiles; nothing happens if none is shown.
    void zoomToHeads(const std::set<HeadId>& heads);
    std::set<HeadId> layerOf(HeadId head) const;
    std::set<HeadId> blockOf(HeadId head) const;
    /// Moves the view as little as needed to show a head's tile.
    void reveal(HeadId head);

    /// The largest tile side when fitting; 0: as large as there is room for.
    void setFitLimit(double side);
    double fittingSide() const;
    double headingSize() const;

    const render::GridLayout& places() const { return m_places; }
    Geometry geometryNow() const;
    /// A head's tile in view coordinates; empty if it is not shown.
    QRectF tileRect(HeadId head) const;
    /// The head whose tile is under a point, or the MLP.
    std::optional<HeadId> headAt(QPointF view) const;
    /// The cell under a point; the strongest one if a pixel covers several.
    std::optional<TileCell> cellAt(QPointF view) const;
    double cellSide() const;  // in the view; 0 if there is no tile
    /// "layer 5 head 1, density 0.4 %, ablated".
    QString describe(HeadId head) const;
    /// What a tile's hatching and badge mean; empty if it has neither.
    QString noteOn(HeadId head) const;
    /// Keys across and queries down that one pixel covers; 1 if nothing is pooled.
    QSize pooling() const;

    QSize sizeHint() const override { return {480, 480}; }
    QSize minimumSizeHint() const override { return {120, 120}; }

Q_SIGNALS:
    void zoomChanged();
    void resized();
    void cellHovered(const std::optional<hs::grid::TileCell>& cell);
    void headClicked(hs::HeadId head);
    void headDoubleClicked(hs::HeadId head);
    void selectionToggled(hs::HeadId head);
    void cellCut(hs::grid::TileCell cell);
    void bandSelected(const std::set<hs::HeadId>& heads, bool isAdding);
    void currentMoved(hs::HeadId head);
    void ablationRequested(hs::HeadId head);
    void openRequested(hs::HeadId head);
    void contextMenuWanted(QPoint global, const std::optional<hs::HeadId>& head);
    void pinRequested();      // for the cell under the pointer
    void releaseRequested();  // for pins and selection
    void flipChanged(bool isFlipped);
    void focusChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    enum class Drag { None, Pressed, Band, Pan };

    Viewport viewport(double pixelRatio) const;
    Geometry geometryFor(double pixelRatio) const;
    void setPlaces(render::GridLayout places);
    void paintEmpty(QPainter& painter);
    QRectF mlpRect(int layer) const;
    void zoomAbout(QPointF view, double factor);
    void zoomTowards(const control::GridZoom& target);
    void moveCurrent(QPoint direction);
    bool showTip(QHelpEvent* event);
    bool pinched(QGestureEvent* event);
    bool pinched(QNativeGestureEvent* event);
    bool isPanButton(const QMouseEvent& event) const;
    void dragTo(QPointF view);
    void selectBand(bool isAdding);
    QRectF band() const;
    void setFlipped(bool isFlipped);
    void placeMinimap();
    void announceCurrent();
    stats::PatternShape pattern() const { return m_content->tiles ? m_content->tiles->pattern() : 1; }
    /// Cells along the longer side of a map.
    int tokens() const { return std::max(pattern().queries, pattern().keys); }

    std::shared_ptr<const Content> m_content;
    Marks m_marks;
    render::GridLayout m_places;
    Picture m_picture;
    control::GridZoom m_zoom;
    double m_fitLimit = 0;
    QVariantAnimation m_motion;
    control::GridZoom m_motionFrom;
    control::GridZoom m_motionTo;  // with the fit resolved
    control::GridZoom m_target;    // where m_motion ends
    Minimap* m_minimap;

    Drag m_drag = Drag::None;
    QPointF m_pressedAt;         // in view coordinates
    QPointF m_draggedTo;         // in view coordinates
    bool m_isPressOpen = false;  // the press is part of a double click
    bool m_isFlipped = false;
};

}  // namespace hs::grid
