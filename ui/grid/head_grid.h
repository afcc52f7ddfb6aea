#pragma once

#include "grid/block_choice.h"
#include "grid/canvas.h"

class QToolButton;

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
    /// Offers other maps of the same file beside the title.
    void setBlocks(const std::vector<BlockChoice>& blocks);
    QString caption() const;
    /// Of what stands above the canvas.
    int titleHeight() const;

Q_SIGNALS:
    void blockChosen(const QString& source);

private:
    void showCaption();

    ElidedLabel* m_title;
    QToolButton* m_chooser;
    std::vector<BlockChoice> m_blocks;
    ElidedLabel* m_caption;
    Canvas* m_canvas;
};

}  // namespace hs::grid
