#pragma once

#include "grid/grid_canvas.h"

namespace hs::grid {

class ElidedLabel;

/// One grid with its title and a line of figures above. Only shows values; HeadGrids fills it.
class HeadGrid : public QWidget {
    Q_OBJECT

public:
    explicit HeadGrid(QWidget* parent = nullptr);

    GridCanvas& canvas() { return *m_canvas; }
    const GridCanvas& canvas() const { return *m_canvas; }
    void setContent(GridContent content);
    QString caption() const;

private:
    void showCaption();

    ElidedLabel* m_title;
    ElidedLabel* m_caption;
    GridCanvas* m_canvas;
};

}  // namespace hs::grid
