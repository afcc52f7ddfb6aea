#pragma once

#include "panels/analyses/analysis_frame.h"
#include "panels/analyses/graph/graph_edits.h"

class QLabel;
class QMenu;
class QSlider;

namespace hs::panels {

class FeatureCard;
class GraphDiagram;
class SideTitle;

/// Which features a prediction comes from, and what they add to each other: an attribution graph a side. What is picked
/// in one is described, shown on the tokens, and carried by heads whose tiles have badges; the current head shows the
/// features that it moves. Runs by itself while visible.
class GraphPanel : public AnalysisFrame {
    Q_OBJECT

public:
    explicit GraphPanel(control::Explorer& explorer, QWidget* parent = nullptr);
    ~GraphPanel() override;

    QSize sizeHint() const override { return {900, 280}; }
    QSize minimumSizeHint() const override { return {320, 200}; }

protected:
    void showResult() override;
    void showDocument() override;
    figures::DataTable table() const override;
    SideHeads rankedHeads() const override;
    SideHeads theseHeads() const override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    /// What a side's picture depends on.
    struct Key {
        std::shared_ptr<const service::AnalysisResult> result;
        double share = 0;
        std::vector<features::Supernode> groups;
        std::map<FeatureId, std::string> labels;

        friend bool operator==(const Key&, const Key&) = default;
    };
    /// A head whose tile was clicked.
    struct Carrier {
        Side side = Side::Left;
        HeadId head;
    };

    void addFields();
    QWidget* newContent();
    void connectParts();
    void connectDiagram(Side side);
    void fillGroups(QMenu& menu);
    void fillCoders(QMenu& menu);
    void askForName(Side side);

    void showGraph(Side side);
    void showMarks();
    void showCard();
    void showShades();
    void showReading();
    void pointAt(Side side);
    /// The side whose pick is described, and that pick; none if nothing is picked.
    std::optional<std::pair<Side, int>> described() const;
    const features::EdgeHeads* edgeHeads(Side side) const;
    QString titleOf(Side side) const;
    QString headsWords(Side side) const;
    QString factsOf(Side side, int node) const;
    QString movedWords() const;
    QString factorOfHeads() const;
    std::vector<std::pair<figures::ViewEdge, double>> carriedBy(const Carrier& carrier) const;

    QSlider* m_share = nullptr;
    QLabel* m_shareValue = nullptr;
    std::array<SideTitle*, 2> m_titles;       // [Side]
    std::array<GraphDiagram*, 2> m_diagrams;  // [Side]
    FeatureCard* m_card;
    QLabel* m_reading;
    ShownGraphs m_shown;
    std::array<std::optional<Key>, 2> m_keys;  // [Side], of what is shown
    std::optional<Carrier> m_carrier;
    bool m_isShowing = false;
};

/// Every edge of both graphs. A null side is left out.
figures::DataTable graphTable(const std::array<const features::Graph*, 2>& sides);

}  // namespace hs::panels
