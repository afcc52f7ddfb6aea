#pragma once

#include "control/explorer/explorer.h"
#include "control/session/session.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <set>
#include <tuple>

namespace hs::grid {
class HeadGrids;
}

namespace hs::start {

class TourCard;

/// Five steps through the window, each on a card beside what it speaks of. Doing what a step asks for leads to
/// the next one. Once it has been closed or finished, the preferences say not to offer it again. Lives on the
/// UI thread.
class Tour : public QObject {
    Q_OBJECT

public:
    enum Step { Read, Zoom, Ablate, Search, Keep };
    static constexpr int kSteps = 5;

    /// What steps point at outside the grids, in the window's coordinates.
    struct Places {
        std::function<QRect()> search;
        std::function<QRect()> file;
    };

    Tour(control::Explorer& explorer, grid::HeadGrids& grids, QWidget& window, Places places);

    void start();
    void end();
    bool isRunning() const { return m_step.has_value(); }
    std::optional<int> step() const { return m_step; }
    void next();
    void back();
    /// Something was done that a step asks for; other steps do not care.
    void note(Step step);
    /// How long a step that was done stays, so that its effect can be seen.
    void setPause(int milliseconds) { m_pause.setInterval(milliseconds); }
    const TourCard& card() const { return *m_card; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(int step);
    void place();
    QRect anchor() const;
    QRect tileOf(Side side, HeadId head) const;
    /// The side and head that steps in the grids point at.
    std::pair<Side, HeadId> example(bool isAnswer) const;
    void noteHover();
    void noteZoom();
    void noteDocument();
    void noteRuns();
    void noteAnalyses();

    control::Explorer& m_explorer;
    grid::HeadGrids& m_grids;
    QWidget& m_window;
    Places m_places;
    TourCard* m_card;  // owned by the window
    QTimer m_pause;
    std::optional<int> m_step;
    // What was there when the step began, or has been done since.
    std::set<std::tuple<HeadId, int, int>> m_cells;
    std::array<control::GridZoom, 2> m_zoom;
    control::Document m_document;
    bool m_hasAblated = false;
    bool m_hasSearched = false;
};

}  // namespace hs::start
