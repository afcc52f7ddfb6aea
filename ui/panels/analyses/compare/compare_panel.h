#pragma once

#include "panels/analyses/analysis_frame.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace hs::panels {

class ComparisonTable;
class DepthCurve;
class HeadBars;

/// How the two models differ on this prompt: figures for both, how far apart each head's patterns are, and how that
/// grows with depth.
/// Runs by itself while visible.
class ComparePanel : public AnalysisFrame {
    Q_OBJECT

public:
    explicit ComparePanel(control::Explorer& explorer, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {900, 250}; }
    QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    void showResult() override;
    figures::DataTable table() const override;

private:
    QWidget* newContent();
    void addFields();
    void connectParts();
    const analyses::Comparison* comparison() const { return found<analyses::Comparison>(Side::Left); }
    void showDistances(const analyses::Comparison& comparison);
    void orderByChange();
    /// Why there are no pairs, or what to note about them.
    QString words(const analyses::Comparison& comparison) const;

    QComboBox* m_distance = nullptr;
    QPushButton* m_order = nullptr;
    ComparisonTable* m_model;
    QTableView* m_table;
    HeadBars* m_bars;
    DepthCurve* m_depth;
    QLabel* m_words;
    std::shared_ptr<const service::AnalysisResult> m_shown;
};

}  // namespace hs::panels
