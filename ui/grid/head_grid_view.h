#pragma once

#include "render/figure_layout.h"

#include <QWidget>

namespace hs {

/// A figure that fills its widget with the largest tiles that fit. Outlines the head under the
/// mouse and tells its statistics. UI thread only.
class HeadGridView : public QWidget {
    Q_OBJECT

public:
    explicit HeadGridView(GridFigure figure, QWidget* parent = nullptr);

    const GridFigure& figure() const { return m_figure; }
    void setColourMap(const QString& name);
    void setScale(Scale scale);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QRect sheet() const;                                        // the white paper, in widget coordinates
    std::optional<TileAddress> tileAt(QPointF position) const;  // in widget coordinates
    void setHovered(std::optional<TileAddress> tile);

    GridFigure m_figure;
    FigureLayout m_layout;
    QPoint m_origin;  // of the layout, in widget coordinates
    std::optional<TileAddress> m_hovered;
};

}  // namespace hs
