#pragma once

#include "panels/analyses/analysis_frame.h"
#include "panels/widgets/shown_tokens.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace hs::panels {

class CellScatter;
class CorrelationMatrix;
class SideTitle;

/// Which heads are similar: a matrix per side of correlations between heads over their cells, clusters
/// framed, and the weights of one pair plotted against each other. The heads are the selected ones or those
/// typed. Runs by itself while visible.
class HeadScatterPanel : public AnalysisFrame {
    Q_OBJECT

public:
    static constexpr std::size_t kMostHeads = 64;

    explicit HeadScatterPanel(control::Explorer& explorer, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {900, 250}; }
    QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    void showResult() override;
    void showDocument() override;
    SideHeads theseHeads() const override;
    figures::DataTable table() const override;
    void showEvent(QShowEvent* event) override;

private:
    struct Pair {
        HeadId row;
        HeadId column;

        friend bool operator==(const Pair&, const Pair&) = default;
    };

    void addFields();
    QWidget* newContent();
    void connectParts();
    void connectMatrix(Side side);

    void setHeads(std::vector<HeadId> heads);
    void takeTyped();
    void takeSelection();
    std::shared_ptr<const stats::HeadScatter> scatter(Side side) const;
    /// The pair to plot: the one picked as long as its heads are shown, else the most similar two.
    std::optional<Pair> pair() const;
    void showPair();
    void showReading();
    QString matrixReading(Side side) const;
    QString pointReading() const;
    bool hasConstant() const;
    QString titleOf(Side side) const;

    QLineEdit* m_heads = nullptr;
    QToolButton* m_follows = nullptr;
    QLabel* m_problem;
    std::array<SideTitle*, 2> m_titles;            // [Side]
    std::array<CorrelationMatrix*, 2> m_matrices;  // [Side]
    CellScatter* m_plot;
    QLabel* m_reading;
    std::optional<Pair> m_picked;
    std::array<AxisLabels, 2> m_tokens;                                   // [Side], of the shown results
    std::array<std::shared_ptr<const stats::HeadScatter>, 2> m_scatters;  // [Side], shown
    QString m_typingProblem;
    QString m_shownHeads;
};

}  // namespace hs::panels
