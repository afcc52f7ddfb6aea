#pragma once

#include "control/explorer/explorer.h"
#include "panels/inspector/head_map.h"
#include "panels/widgets/shown_tokens.h"

namespace hs::panels {

/// The numbers of one cell; NaN where there are none or none yet.
struct CellValues {
    double weight;
    double score;
    double gate;
    double shown;  // in the view
};

/// Fetches what the inspector shows for one head, and its counterpart on the other side, from the Explorer and
/// keeps it as long as heads and runs stay the same: only the heads' own numbers, since a layer's can be large.
class InspectorMaps {
public:
    explicit InspectorMaps(control::Explorer& explorer) : m_explorer(explorer) {}

    /// Takes the Explorer's current head and runs; drops what was kept for others.
    void update();

    /// The head that a side shows; none if it has no model.
    std::optional<HeadId> head(Side side) const { return m_heads[indexOf(side)]; }
    /// The run in which a side shows its head; null if there is none.
    std::shared_ptr<const control::SideRun> run(Side side) const;
    /// The names of the run's tokens along the axes.
    const AxisLabels& labels(Side side) const { return m_labels[indexOf(side)]; }
    /// Cells are null until they arrive; the difference between sides is the same for both.
    HeadMap map(Side side, MapView view);
    CellValues values(Side side, MapView view, MapCell cell);
    /// The cell with the largest weight; the last one until weights are there.
    /// Over all cells: the sum over keys of the mean over queries.
    double together(Side side, text::TokenSpan queries, text::TokenSpan keys);
    MapCell strongest(Side side, text::TokenSpan queries, text::TokenSpan keys);

private:
    HeadMap fetch(Side side, engine::MapKind kind, bool isBefore = false);
    /// after - before; `places` are those of the cells of `before` in `after`, null where both have the same tokens.
    HeadMap subtracted(const HeadMap& after, const HeadMap& before, const render::TokenPlaces* places);

    struct Difference {
        HeadMap after;
        HeadMap before;
        HeadMap result;
    };

    control::Explorer& m_explorer;
    std::array<std::optional<HeadId>, 2> m_heads;                   // [Side]
    std::array<std::shared_ptr<const control::SideRun>, 2> m_runs;  // [Side]
    std::array<AxisLabels, 2> m_labels;                             // [Side], of m_runs
    std::map<service::MapQuery, HeadMap> m_maps;
    std::vector<Difference> m_differences;
};

}  // namespace hs::panels
