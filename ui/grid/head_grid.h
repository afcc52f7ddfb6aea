#pragma once

#include "grid/canvas.h"

namespace hs::grid {

class ElidedLabel;

/// One grid with its title and figures in a line above. Only shows values; HeadGrids fills it.
class HeadGrid : public QWidget {
    Q_OBJECT

public:
    explicit HeadGrid(QWidget* parent = nullptr);

    Canvas& canvas() { return *m_canvas; }
    const Canvas& canvas() const { return *m_canvas; }
    void setContent(Content content);
    QString caption() const;
    /// Of what stands above the canvas.
    int titleHeight() const;

private:
    void showCaption();

    ElidedLabel* m_title;
    ElidedLabel* m_caption;
    Canvas* m_canvas;
};

}  // namespace hs::grid
