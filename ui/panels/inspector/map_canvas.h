#pragma once

#include "panels/inspector/map_colours.h"
#include "panels/inspector/map_viewport.h"

#include <QWidget>

class QCPColorMap;
class QCPColorScale;
class QCPLayoutInset;
class QCustomPlot;

namespace hs::panels {

/// The coloured cells of a map and their colour bar, drawn by QCustomPlot exactly where the viewport says.
/// Cells smaller than a pixel are pooled to the strongest. Takes no mouse events.
class MapCanvas : public QWidget {
    Q_OBJECT

public:
    static constexpr int kBarRoom = 60;  // pixels right of the cells

    explicit MapCanvas(QWidget* parent);

    void setMap(const HeadMap& map, const MapColours& colours);
    /// Places cells and bar; the canvas must already have its final size.
    void setView(const MapViewport& view);
    void setDimmed(bool isDimmed);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void place();
    void applyStyle();
    void recolour();
    void refill();

    HeadMap m_map;
    MapColours m_colours;
    MapViewport m_view;
    bool m_isDimmed = false;
    QCustomPlot* m_plot;
    QCPLayoutInset* m_places;
    QCPColorMap* m_cells;
    QCPColorScale* m_bar;
};

}  // namespace hs::panels
