#pragma once

#include "composer/page_painter.h"
#include "figures/parts/drawing.h"

#include <QAbstractScrollArea>

#include <optional>

namespace hs::composer {

/// A drawing on paper, at true size, larger, or as large as fits. Ctrl and the wheel zoom at the
/// pointer, dragging moves the page. The paper is white in every theme; a checkerboard shows a
/// transparent page.
class FigurePreview : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit FigurePreview(QWidget* parent = nullptr);

    /// Null: no drawing.
    void setDrawing(PagePainter::Page drawing, bool isTransparent);
    const figures::Drawing* drawing() const { return m_drawing.get(); }
    void setDimmed(bool isDimmed);
    /// Shown if there is no drawing.
    void setMessage(const QString& message);

    /// 1 is true size: a millimetre on screen for a millimetre on paper. None: as large as fits.
    void setZoom(std::optional<double> zoom);
    std::optional<double> zoom() const { return m_zoom; }
    /// The zoom in effect.
    double actualZoom() const;
    void zoomIn();
    void zoomOut();
    /// Where the page is drawn, in viewport coordinates.
    QRectF page() const;

    static constexpr double kLeastZoom = 0.1;
    static constexpr double kMostZoom = 8;

Q_SIGNALS:
    void zoomChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    static constexpr double kMargin = 24;  // around the page, in logical pixels

    double pixelsPerPoint(double zoom) const;
    QSizeF pageSize() const;  // logical pixels
    void zoomAt(QPointF anchor, std::optional<double> zoom);
    void refreshBars();
    void refreshCursor();
    void paintPage(QPainter& painter);
    PagePainter::View wantedView(const QRectF& place) const;

    PagePainter::Page m_drawing;
    bool m_isTransparent = false;
    bool m_isDimmed = false;
    QString m_message;
    std::optional<double> m_zoom;
    PagePainter* m_painter;
    std::optional<QPoint> m_dragged;
};

}  // namespace hs::composer
