#pragma once

#include "control/explorer/explorer.h"
#include "control/session/session.h"
#include "grid/plan.h"

#include <QTimer>
#include <QWidget>

#include <array>
#include <optional>

class QBoxLayout;

namespace hs::grid {

class BadgeLegend;
class ColourBarView;
class ElidedLabel;
class HeadGrid;
class LateTiles;

/// Both grids, linked, with the badges' legend, the read-out of the cell under the pointer and the
/// colour bar below. Shows the Explorer's state and tells it what the user does; lives on the UI thread.
class HeadGrids : public QWidget {
    Q_OBJECT

public:
    HeadGrids(control::Explorer& explorer, QWidget* parent = nullptr);
    ~HeadGrids() override;

    HeadGrid& grid(Side side) { return *m_grids[indexOf(side)]; }
    QString readout() const;
    /// How the grids share their room now.
    const Plan& plan() const { return m_plan; }
    const PlanNeeds& needs() const { return m_needs; }

    void zoomIn();
    void zoomOut();
    void fit();
    void actualSize();
    std::array<control::GridZoom, 2> zoom() const;
    void setZoom(const std::array<control::GridZoom, 2>& zoom);
    bool isLinked() const { return m_isLinked; }
    void setLinked(bool isLinked);
    /// Moves the view as little as needed to show the head in both grids.
    void reveal(HeadId head);

Q_SIGNALS:
    void openRequested(hs::HeadId head);
    void contextMenuWanted(QPoint global);
    void linkedChanged(bool isLinked);
    void zoomChanged();

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void connectExplorer();
    void connectGrid(Side side);
    void stopListening();
    /// Whose tiles a grid shows.
    Side shownIn(Side side) const;
    void showDocument();
    void showSide(Side side);
    void showSides();
    void arrange();
    PlanNeeds planNeeds() const;
    void followPlan();
    void showMarks();
    void showReadout();
    void showPinned(Side side);
    void showColours();
    void watchRanks();
    void watchMlps();
    void showFullMaps();
    void shareFit();
    void followZoom(Side side);
    control::GridZoom zoomFor(Side side, Side from) const;

    void clicked(Side side, HeadId head);
    void doubleClicked(Side side, HeadId head);
    void select(const std::set<HeadId>& heads, bool isAdding);
    void toggleSelected(HeadId head);
    void pin();
    void release();
    void open(Side side, HeadId head);
    void askForMenu(Side side, QPoint global, const std::optional<HeadId>& head);
    void flip(Side side, bool isFlipped);
    HeadGrid& activeGrid();

    control::Explorer& m_explorer;
    std::array<HeadGrid*, 2> m_grids;  // [Side]
    QBoxLayout* m_row;
    BadgeLegend* m_legend;
    ElidedLabel* m_readout;
    ColourBarView* m_colours;
    LateTiles* m_lateTiles;
    PlanNeeds m_needs;  // that m_plan is for
    Plan m_plan;
    QTimer m_fullMapTimer;
    QTimer m_mlpTimer;
    std::array<std::set<HeadId>, 2> m_pinned;  // [Side]
    std::array<bool, 2> m_isFlipped{};         // [Side]
    bool m_isLinked = true;
    bool m_isFollowing = false;
    int m_stepOfClick = -1;  // in the history, after the last click on a tile
};

}  // namespace hs::grid
