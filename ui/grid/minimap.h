#pragma once

#include "grid/picture.h"

#include <QWidget>

namespace hs::grid {

/// The whole grid in a corner of itself, with a frame around the visible part and spots for ablated and
/// badged heads; a click or drag moves the view there. Its canvas shows it while the grid is larger than the view.
class Minimap : public QWidget {
    Q_OBJECT

public:
    explicit Minimap(QWidget* parent);

    static QSize sizeFor(const render::GridLayout& places);
    /// `seen` is in grid units.
    void showPart(std::shared_ptr<const Content> content, const render::GridLayout& places,
                  const QRectF& seen);

Q_SIGNALS:
    void centreWanted(QPointF grid);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    Geometry geometryFor(double pixelRatio) const;

    std::shared_ptr<const Content> m_content;
    render::GridLayout m_places;
    QRectF m_seen;  // in grid units
    Picture m_picture;
};

}  // namespace hs::grid
