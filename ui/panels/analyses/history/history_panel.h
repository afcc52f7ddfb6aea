#pragma once

#include "panels/analyses/analysis_frame.h"

class QComboBox;

namespace hs::panels {

class HistoryPlot;

/// What became of heads while their model was trained: a metric of the selected heads, or of those that changed most, at
/// every step that was kept. Clicking a point goes there.
class HistoryPanel : public AnalysisFrame {
    Q_OBJECT

public:
    explicit HistoryPanel(control::Explorer& explorer, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {900, 250}; }
    QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    void showResult() override;
    void showDocument() override;
    SideHeads theseHeads() const override;
    figures::DataTable table() const override;
    std::array<std::string, 2> drawnResults() const override;
    QString partOf(const service::AnalysisResult& result) const override;

private:
    void compose();
    /// Null on the right where both sides are of the same training and read the same.
    const analyses::History* history(Side side) const;
    std::vector<HeadId> headsShown(Side side) const;
    QString words(Side side) const;

    QComboBox* m_metric = nullptr;
    HistoryPlot* m_plot;
};

}  // namespace hs::panels
