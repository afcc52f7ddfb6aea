#pragma once

#include "panels/analysis_frame.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace hs {

class ComparisonTable;
class HeadBars;

/// What tells the two models apart on this prompt: figures of both, and how far each head's patterns
/// are apart. Runs by itself while it is seen.
class ComparePanel : public AnalysisFrame {
    Q_OBJECT

public:
    explicit ComparePanel(Explorer& explorer, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {900, 250}; }
    QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    void showResult() override;
    DataTable table() const override;

private:
    QWidget* newContent();
    void addFields();
    void connectParts();
    const Comparison* comparison() const { return found<Comparison>(Side::Left); }
    void showBars(const Comparison& comparison);
    void orderByChange();
    /// Why there are no pairs, or what to know about them.
    QString words(const Comparison& comparison) const;

    QComboBox* m_distance = nullptr;
    QPushButton* m_order = nullptr;
    ComparisonTable* m_model;
    QTableView* m_table;
    HeadBars* m_bars;
    QLabel* m_words;
    std::shared_ptr<const AnalysisResult> m_shown;
};

}  // namespace hs
