#pragma once

#include "panels/analyses/analysis_frame.h"
#include "panels/analyses/lens/lens_model.h"

class QCheckBox;
class QLabel;

namespace hs::panels {

class LensTable;
class SideTitle;

/// What each model would say after each of its layers, at every position, and what the prompt's tokens do for the
/// target's logit. Runs by itself while visible.
class LensPanel : public AnalysisFrame {
    Q_OBJECT

public:
    explicit LensPanel(control::Explorer& explorer, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {900, 250}; }
    QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    void showResult() override;
    void showDocument() override;
    figures::DataTable table() const override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void addFields();
    QWidget* newContent();
    void connectParts();
    void connectTable(Side side);
    void choose(const QString& what, const std::function<void(control::LensChoice&)>& change);
    void pick(Side side, int position);
    void pointAt(Side side);

    LensContent content(Side side) const;
    QString titleOf(Side side) const;
    /// What is under the pointer.
    QString reading(Side side) const;
    void showReading();
    /// What the saliency says, or why there is none.
    QString saliencyWords() const;

    QComboBox* m_colour = nullptr;
    QComboBox* m_saliency = nullptr;
    QCheckBox* m_halves = nullptr;
    std::array<SideTitle*, 2> m_titles;     // [Side]
    std::array<LensTable*, 2> m_tables;     // [Side]
    std::array<LensContent, 2> m_contents;  // [Side], shown
    QLabel* m_reading;
};

/// Every reading of both sides. A null side is left out.
figures::DataTable lensData(const std::array<const service::PromptLens*, 2>& sides);

}  // namespace hs::panels
