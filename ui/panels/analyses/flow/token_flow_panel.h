#pragma once

#include "panels/analyses/analysis_frame.h"
#include "panels/widgets/shown_tokens.h"

class QCheckBox;
class QLabel;
class QSlider;

namespace hs::panels {

class FlowDiagram;
class SideTitle;
struct FlowLine;
struct FlowEnd;

/// Which tokens can reach which through active edges, layer by layer: a diagram per side. Runs by itself
/// while visible.
class TokenFlowPanel : public AnalysisFrame {
    Q_OBJECT

public:
    explicit TokenFlowPanel(control::Explorer& explorer, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {900, 250}; }
    QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    void showResult() override;
    void showDocument() override;
    figures::DataTable table() const override;

private:
    void addFields();
    QWidget* newContent();
    void connectParts();
    void connectDiagram(Side side);

    std::shared_ptr<const stats::TokenFlow> flow(Side side) const;
    QString titleOf(Side side) const;
    void showReading();
    QString reading(Side side) const;
    QString lineReading(const FlowLine& line, const AxisLabels& tokens) const;
    QString endReading(Side side, const FlowEnd& end) const;
    QString wayReading() const;
    /// What a token above holds of those below; empty without a rollout.
    QString rolloutReading(Side side) const;
    void pointAt(Side side);

    QSlider* m_threshold = nullptr;
    QLabel* m_thresholdValue = nullptr;
    QCheckBox* m_rollout = nullptr;
    std::array<SideTitle*, 2> m_titles;      // [Side]
    std::array<FlowDiagram*, 2> m_diagrams;  // [Side]
    QLabel* m_reading;
    std::array<std::shared_ptr<const stats::TokenFlow>, 2> m_flows;  // [Side], shown
    std::array<AxisLabels, 2> m_tokens;                              // [Side], of the shown results
    bool m_isShowing = false;
};

/// Every edge of both sides. A null side is left out.
figures::DataTable flowTable(const std::array<const stats::TokenFlow*, 2>& sides);

}  // namespace hs::panels
