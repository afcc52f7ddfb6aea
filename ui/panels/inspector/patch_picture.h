#pragma once

#include "maps/block.h"
#include "panels/widgets/shown_tokens.h"

#include <QImage>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace hs::panels {

/// Where in a picture a query looks: the weights of its row lie over the patches that its keys are, the largest
/// in full colour. What goes to keys that are no patch is said below. Pointing at a patch points at its key.
class PatchPicture : public QWidget {
    Q_OBJECT

public:
    explicit PatchPicture(QWidget* parent = nullptr);

    /// `block` has keyPatches; `row` is [key], NaN for none.
    void setRow(std::shared_ptr<const maps::Block> block, int query, std::vector<double> row,
                const AxisLabels& labels, std::optional<int> markedKey);

    /// Where a key's patch is drawn; empty if it is none.
    QRectF patchRect(int key) const;
    std::optional<int> keyAt(QPointF point) const;
    /// The weight of keys that are no patch: "[CLS] 0.12"; empty if there are none.
    QString otherKeys() const;

    QSize sizeHint() const override { return {200, 220}; }
    QSize minimumSizeHint() const override { return {90, 90}; }

Q_SIGNALS:
    void keyHovered(int key);
    void hoverLeft();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    const maps::PatchGrid& grid() const { return *m_block->facts().keyPatches; }
    /// Of the picture within the widget: as large as fits, in its own shape.
    QRectF place() const;

    std::shared_ptr<const maps::Block> m_block;
    QImage m_picture;
    int m_query = 0;
    std::vector<double> m_row;  // [key]
    AxisLabels m_labels;
    std::optional<int> m_marked;
    std::optional<int> m_hovered;
};

}  // namespace hs::panels
