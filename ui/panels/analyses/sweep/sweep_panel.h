#pragma once

#include "panels/analyses/analysis_frame.h"

class QComboBox;

namespace hs::panels {

class HeadBars;

/// What each head does for one answer: the change when it is ablated, as ranked bars for both sides.
class SweepPanel : public AnalysisFrame {
    Q_OBJECT

public:
    explicit SweepPanel(control::Explorer& explorer, QWidget* parent = nullptr);

protected:
    void showResult() override;
    void showDocument() override;
    SideHeads rankedHeads() const override;
    SideHeads theseHeads() const override;
    figures::DataTable table() const override;
    QString partOf(const service::AnalysisResult& result) const override;

private:
    void compose();
    QString summary() const;

    QComboBox* m_units = nullptr;
    QComboBox* m_method = nullptr;
    QComboBox* m_reading = nullptr;
    HeadBars* m_bars;
};

}  // namespace hs::panels
