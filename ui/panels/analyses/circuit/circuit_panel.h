#pragma once

#include "panels/analyses/analysis_frame.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSplitter;

namespace hs::panels {

class EffectCurves;
class HeadBars;
class PathGraph;
struct HeadBar;

/// The heads, single cells of heads or paths between heads that carry the difference between two prompts: ranked bars
/// of what each does alone, and how much the first n explain together or, of paths, how they join the heads, for both
/// sides.
class CircuitPanel : public AnalysisFrame {
    Q_OBJECT

public:
    explicit CircuitPanel(control::Explorer& explorer, QWidget* parent = nullptr);

protected:
    void showResult() override;
    void showDocument() override;
    SideHeads theseHeads() const override;
    figures::DataTable table() const override;
    std::array<std::string, 2> drawnResults() const override;
    QString partOf(const service::AnalysisResult& result) const override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void composeForm();
    void composePlots();
    void setUp(const std::function<void(service::CircuitSetup&)>& change, const QString& mergeKey = {});
    void pick(Side side, int count);
    std::array<const analyses::Circuit*, 2> circuits() const;
    void showPaths();
    QString summary() const;

    QComboBox* m_units = nullptr;
    QComboBox* m_ranking = nullptr;
    QDoubleSpinBox* m_level = nullptr;
    QCheckBox* m_isRefined = nullptr;
    QSplitter* m_plots = nullptr;
    HeadBars* m_bars;
    EffectCurves* m_curves;
    PathGraph* m_graph;                          // in place of the curves
    std::array<std::optional<int>, 2> m_picked;  // [Side] count that was picked on the curve
    std::array<std::shared_ptr<const control::Finding>, 2> m_pickedFor;  // [Side] finding it was picked in
};

}  // namespace hs::panels
