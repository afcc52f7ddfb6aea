#pragma once

#include "base/side.h"
#include "engine/run/paths.h"

#include <QFont>
#include <QPainterPath>
#include <QPalette>
#include <QWidget>

#include <array>
#include <optional>
#include <vector>

namespace hs::panels {

/// A path between heads, or from one to the logits.
struct PathLine {
    HeadId from;
    engine::PathEnd to;
    double effect = 0;
    QString words;  // for the tooltip

    friend bool operator==(const PathLine&, const PathLine&) = default;
};

/// One side's paths, the most important first.
struct PathLines {
    QString title;
    HeadShape shape;
    std::vector<PathLine> lines;

    friend bool operator==(const PathLines&, const PathLines&) = default;
};

/// Paths between heads as a graph for each side: layers upwards, heads across, the logits on top. Lines are as wide
/// as their effect is large, in a colour for each sign, and end left of, at or right of a head for its query, key or
/// value. Pointing at a line names it, a click picks it.
class PathGraph : public QWidget {
    Q_OBJECT

public:
    explicit PathGraph(QWidget* parent = nullptr);

    /// A side without lines is left out. [Side]
    void setPaths(std::array<PathLines, 2> sides);
    const PathLines& paths(Side side) const { return m_sides[indexOf(side)]; }
    void setDimmed(bool isDimmed);
    /// A point that a line passes, half way between its ends, in widget pixels.
    QPointF middleOf(Side side, int rank) const;

    /// Draws it in these colours at its current size, for files.
    void draw(QPainter& painter, const QPalette& inks) const;

    QSize sizeHint() const override { return {340, 180}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

Q_SIGNALS:
    void picked(Side side, int rank, Qt::KeyboardModifiers modifiers);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    struct Place {
        Side side = Side::Left;
        int rank = 0;
    };

    QFont smallFont() const;
    QRectF areaOf(Side side) const;  // title, names of layers and plot
    QRectF plotOf(Side side) const;
    QPointF pointOf(Side side, HeadId head) const;
    QPointF endOf(Side side, const engine::PathEnd& end) const;
    QPainterPath curveOf(Side side, const PathLine& line) const;
    std::optional<Place> lineAt(QPointF position) const;
    void drawGround(QPainter& painter, Side side, const QPalette& inks) const;
    void drawLines(QPainter& painter, Side side, const QPalette& inks) const;
    void drawNames(QPainter& painter, Side side, const QPalette& inks) const;

    std::array<PathLines, 2> m_sides;  // [Side]
    bool m_isDimmed = false;
};

}  // namespace hs::panels
