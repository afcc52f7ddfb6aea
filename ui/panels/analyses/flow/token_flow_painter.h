#pragma once

#include "base/side.h"
#include "panels/analyses/flow/token_flow_geometry.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QStringList>

#include <functional>
#include <span>

class QPainter;

namespace hs::panels {

/// How a flow is drawn: the residual stream as a faint line per token, edges in the side's colour, stronger
/// ones darker and wider, names of tokens at both ends and of layers on the left.
class FlowPainter {
public:
    FlowPainter(Side side, const QPalette& palette, const QFont& font);

    /// Lays a diagram out in that size, with room for the names around the plot.
    FlowGeometry fit(QSizeF size, const QStringList& tokens, int layers) const;

    void drawStreams(QPainter& painter, const FlowGeometry& geometry, int layers, int tokens) const;
    /// Draws the lines for which `holds` is true, the strongest on top.
    void drawLines(QPainter& painter, const FlowGeometry& geometry, std::span<const FlowLine> lines,
                   const std::function<bool(const FlowLine&)>& holds) const;
    void drawLine(QPainter& painter, const FlowGeometry& geometry, const FlowLine& line,
                  const QColor& colour) const;
    void drawLayers(QPainter& painter, const FlowGeometry& geometry, int layers) const;
    /// `isMarked` ends are in the mark colour; not every token is named if there are too many.
    void drawEnds(QPainter& painter, const FlowGeometry& geometry, const QStringList& tokens,
                  const std::function<bool(FlowEnd)>& isMarked) const;
    /// Shades the tokens below by what a position above holds of them. [token]
    void drawShares(QPainter& painter, const FlowGeometry& geometry, std::span<const double> shares) const;
    QColor markInk() const { return m_mark; }

private:
    bool isUpright(const FlowGeometry& geometry, const QStringList& tokens) const;
    double widest(const QStringList& tokens) const;
    void drawName(QPainter& painter, const FlowGeometry& geometry, FlowEnd end, const QString& text,
                  bool isUpright) const;

    QFont m_font;
    QColor m_line;
    QColor m_stream;
    QColor m_quiet;
    QColor m_mark;
};

}  // namespace hs::panels
