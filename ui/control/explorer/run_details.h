#pragma once

#include "control/work/side_run.h"
#include "control/work/worker.h"
#include "text/token_match.h"

#include <array>
#include <deque>
#include <list>
#include <set>

namespace hs::control {

/// What is read from the shown runs only on demand: full maps, one cell's weight in every head, and tiles of
/// something else than weights.
/// Kept within a budget, dropped with their run. For the UI thread only.
class RunDetails : public QObject {
    Q_OBJECT

public:
    using Cells = std::shared_ptr<const std::vector<float>>;
    using Tiles = std::shared_ptr<const render::TilePyramid>;

    /// Uses the worker's slots from `firstSlot` on: one for maps, two for cells, two for tiles.
    RunDetails(Worker& worker, int firstSlot, std::uint64_t budget);
    static constexpr int kSlots = 5;

    /// Drops everything from another run.
    void setRun(Side side, std::shared_ptr<const SideRun> run);
    void setBudget(std::uint64_t bytes);
    /// The layer of the opened head: its maps stay requested until they arrive, whatever else the pointer
    /// passes over.
    void setOpenedLayer(std::optional<int> layer) { m_openedLayer = layer; }

    /// Null until available: then mapReady, cellsReady or tilesReady follows.
    engine::LayerMap map(const service::MapQuery& query);
    /// For each head the largest weight of the cells.
    Cells cells(Side side, text::TokenSpan queries, text::TokenSpan keys, bool isSum = false);
    Tiles tiles(Side side, engine::MapKind kind);

    /// Drops all requests.
    void cancel();

Q_SIGNALS:
    void mapReady(const hs::service::MapQuery& query);
    void cellsReady(Side side);
    void tilesReady(Side side);
    void tilesDropped();  // asked for, but they will not come: reading failed or was cancelled
    void failed(const hs::Error& error);

private:
    struct Stored {
        service::MapQuery query;
        engine::LayerMap map;
        std::uint64_t bytes = 0;
    };
    struct CellsOf {
        text::TokenSpan queries = -1;
        text::TokenSpan keys = -1;
        bool isSum = false;
        Cells values;
        bool isAsked = false;
    };

    struct TilesOf {
        engine::MapKind kind = engine::MapKind::Weights;
        Tiles tiles;
        bool isAsked = false;
    };

    std::uint64_t bytesOf(const service::MapQuery& query) const;
    bool isTooLarge(const service::MapQuery& query);
    bool isTooFar(const service::MapQuery& query) const;
    void want(const service::MapQuery& query);
    void askNext();
    void arrived(const service::MapQuery& query, const Result<engine::LayerMap>& result);
    void store(const service::MapQuery& query, engine::LayerMap map);
    void trim();
    int cellSlot(Side side) const { return m_mapSlot + 1 + static_cast<int>(indexOf(side)); }
    int tileSlot(Side side) const { return m_mapSlot + 3 + static_cast<int>(indexOf(side)); }

    Worker& m_worker;
    int m_mapSlot;
    std::uint64_t m_budget;
    std::optional<int> m_openedLayer;
    std::array<std::shared_ptr<const SideRun>, 2> m_runs;  // [Side]
    std::list<Stored> m_maps;                              // least recently used first
    std::deque<service::MapQuery> m_wanted;                // newest last
    std::optional<service::MapQuery> m_active;
    std::set<service::MapQuery> m_refused;  // failed, and not requested again
    std::array<CellsOf, 2> m_cells;         // [Side]
    std::array<TilesOf, 2> m_tiles;         // [Side]
};

}  // namespace hs::control
