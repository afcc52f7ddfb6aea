#pragma once

#include "control/work/late_work.h"
#include "panels/analyses/flow/token_flow_painter.h"

#include <QImage>
#include <QWidget>

#include <memory>

namespace hs::panels {

/// One side's flow: tokens across, layers upwards, a line for each cell that any head of a layer looks
/// through. Pointing at a token below shows what it can reach, at one above what reaches it; a click picks
/// lines and tokens. If there are many lines, only the strongest are drawn.
class FlowDiagram : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kMostLines = 1500;

    explicit FlowDiagram(Side side, QWidget* parent = nullptr);

    /// Null: nothing to show.
    void setFlow(std::shared_ptr<const stats::TokenFlow> flow, const QStringList& tokens);
    void setDimmed(bool isDimmed);
    bool isDimmed() const { return m_isDimmed; }
    /// Pinned positions; with both, the ways between them stand out.
    void setMarks(std::optional<int> key, std::optional<int> query);

    const std::vector<FlowLine>& lines() const { return *m_lines; }  // as drawn, strongest first
    std::size_t lineCount() const { return m_lineCount; }            // including those not drawn
    const FlowGeometry& geometry() const { return m_geometry; }

    /// What the pointer is on: a line, an end, or nothing.
    const FlowLine* pointedLine() const { return m_line ? &(*m_lines)[*m_line] : nullptr; }
    std::optional<FlowEnd> pointedEnd() const { return m_end; }
    const FlowReach& reach() const { return m_reach; }  // of the end pointed at
    /// Whose rollout shades the tokens below: the token above that is pointed at or pinned, or the last one.
    int rolloutQuery() const;
    /// What that token holds of each token below; empty without a rollout. [token]
    std::span<const double> rolloutShares() const;

    /// Draws it in these colours at its current size, for files.
    void draw(QPainter& painter, const QPalette& inks) const;

    QSize sizeHint() const override { return {440, 180}; }
    QSize minimumSizeHint() const override { return {160, 80}; }

Q_SIGNALS:
    void pointed();  // at something else, or nothing
    void linePicked(const hs::panels::FlowLine& line);
    void endPicked(hs::panels::FlowEnd end);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    using Holds = std::function<bool(const FlowLine&)>;

    /// Lines are painted into an image: more than a thousand take longer than a frame.
    struct Layer {
        control::LateWork* work;
        QImage picture;
        bool isOld = true;  // must be painted again
    };

    bool isEmpty() const { return !m_flow || m_flow->layers == 0 || m_flow->tokens == 0; }
    bool isHighlighting() const { return m_end || (m_key && m_query); }
    FlowPainter look() const { return {m_side, palette(), font()}; }
    void place();
    void pointAt(std::optional<QPointF> position);
    bool isMarked(FlowEnd end) const;
    /// Which lines stand out from the others.
    Holds standsOut() const;
    void dropHighlight();
    void paintLayer(Layer& layer, std::function<void(QPainter&)> paint);
    void drawLayer(QPainter& painter, const Layer& layer) const;
    void drawNames(QPainter& painter, const FlowPainter& look) const;

    Side m_side;
    std::shared_ptr<const stats::TokenFlow> m_flow;
    QStringList m_tokens;
    std::shared_ptr<const std::vector<FlowLine>> m_lines;
    std::size_t m_lineCount = 0;
    FlowGeometry m_geometry;
    bool m_isDimmed = false;
    std::optional<int> m_key, m_query;
    FlowReach m_fromKey, m_toQuery;  // of the marks
    std::optional<std::size_t> m_line;
    std::optional<FlowEnd> m_end;
    FlowReach m_reach;
    Layer m_ground;     // streams and all lines
    Layer m_highlight;  // what stands out
};

}  // namespace hs::panels
