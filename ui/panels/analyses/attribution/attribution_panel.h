#pragma once

#include "panels/analyses/analysis_frame.h"

class QComboBox;
class QLabel;
class QSpinBox;

namespace hs::panels {

class CarryingList;
class EffectCurves;
class HeadBars;

/// Where the target's logit comes from: what each head adds directly, how many heads or edges make up a share
/// of it, the cells that the smallest set of heads reads, and the parts that add up to it. Runs by itself
/// while visible.
class AttributionPanel : public AnalysisFrame {
    Q_OBJECT

public:
    explicit AttributionPanel(control::Explorer& explorer, QWidget* parent = nullptr);
    ~AttributionPanel() override;

    QSize sizeHint() const override { return {900, 250}; }
    QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    void showResult() override;
    void showDocument() override;
    figures::DataTable table() const override;

private:
    /// What the panel shows.
    struct Shown {
        std::array<std::shared_ptr<const service::AnalysisResult>, 2> results;  // [Side]
        std::array<QString, 2> titles;                                          // [Side]
        double share = 0;
        bool isOfEdges = false;

        friend bool operator==(const Shown&, const Shown&) = default;
    };

    QWidget* newContent();
    void addFields();
    void connectParts();
    Shown wanted() const;
    bool isOfEdges() const;
    const engine::Attribution* attribution(Side side) const { return found<engine::Attribution>(side); }

    void showBars();
    void showCurves();
    void showList();
    void showSums();
    QString sums(Side side) const;
    void pickCount(Side side, int count);

    QSpinBox* m_position = nullptr;
    QSpinBox* m_share = nullptr;
    QComboBox* m_units = nullptr;
    HeadBars* m_bars;
    EffectCurves* m_curves;
    CarryingList* m_list;
    QLabel* m_sums;
    std::array<QStringList, 2> m_tokens;  // [Side], of the shown results
    std::optional<Shown> m_shown;
    bool m_isShowing = false;
};

}  // namespace hs::panels
