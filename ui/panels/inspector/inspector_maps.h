#pragma once

#include "control/explorer/explorer.h"
#include "panels/inspector/head_map.h"

#include <QStringList>

namespace hs::panels {

/// The numbers of one cell; NaN where there are none or none yet.
struct CellValues {
    double weight;
    double score;
    double gate;
    double shown;  // in the view
};

/// Fetches what the inspector shows for one head from the Explorer and keeps it as long as the head and the
/// runs stay the same: only the head's own numbers, since a layer's can be large.
class InspectorMaps {
public:
    explicit InspectorMaps(control::Explorer& explorer) : m_explorer(explorer) {}

    /// Drops what was kept for another head or an older run.
    void setHead(std::optional<HeadId> head);

    /// The run in which a side shows the head; null if there is none.
    std::shared_ptr<const control::SideRun> run(control::Side side) const;
    /// The names of the run's tokens along the axes.
    const QStringList& labels(control::Side side) const { return m_labels[control::indexOf(side)]; }
    /// Cells are null until they arrive; the difference between sides is the same for both.
    HeadMap map(control::Side side, MapView view);
    CellValues values(control::Side side, MapView view, MapCell cell);

private:
    HeadMap fetch(control::Side side, engine::MapKind kind, bool isBefore = false);
    HeadMap subtracted(const HeadMap& after, const HeadMap& before);

    struct Difference {
        HeadMap after;
        HeadMap before;
        HeadMap result;
    };

    control::Explorer& m_explorer;
    std::optional<HeadId> m_head;
    std::array<std::shared_ptr<const control::SideRun>, 2> m_runs;  // [Side]
    std::array<QStringList, 2> m_labels;                            // [Side], of m_runs
    std::map<control::MapQuery, HeadMap> m_maps;
    std::vector<Difference> m_differences;
};

}  // namespace hs::panels
