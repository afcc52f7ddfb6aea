#pragma once

#include "grid/tile_badge.h"

#include <QWidget>

namespace hs::grid {

/// What badges and strips mean: plates and colours with their names, on as many lines as they need. Hidden
/// when there is nothing to explain; the room of one line stays, so that the grids do not move.
class BadgeLegend : public QWidget {
    Q_OBJECT

public:
    explicit BadgeLegend(QWidget* parent = nullptr);

    const BadgeKey& key() const { return m_key; }
    void setKey(const BadgeKey& key);

    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont smallFont() const;
    double plateText() const;  // its height
    QSizeF markSize(const BadgeKey::Entry& entry) const;
    /// Places each entry and, last, the note; returns the total height.
    int place(int width, std::vector<QRect>& places) const;

    BadgeKey m_key;
};

}  // namespace hs::grid
