#include "control/explorer/run_details.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "service/engine_need.h"
#include "service/far_source.h"

#include <algorithm>

namespace hs::control {
namespace {

/// Queries that may wait: more than the pointer can be interested in.
constexpr std::size_t kMostWanted = 8;
/// Kept whatever their size, so that viewers of several maps do not evict one another's for ever.
constexpr std::size_t kFewestKept = 8;
/// A map may take at most the budget divided by this.
constexpr std::uint64_t kLargestPart = 2;

/// Of each head the largest of the cells, or their sum over the keys and mean over the queries. [layer * head]
std::vector<float> joinedWeights(service::Backend& backend, Side side, const SideRun& run,
                                 text::TokenSpan queries, text::TokenSpan keys, bool isSum,
                                 const Hooks& hooks)
{
    const float share = 1.0f / static_cast<float>(queries.last - queries.first + 1);
    std::vector<float> joined(static_cast<std::size_t>(run.after.heads.total()));
    for (int query = queries.first; query <= queries.last; ++query)
        for (int key = keys.first; key <= keys.last; ++key) {
            if (isSum && !run.after.pattern().contains(query, key))
                continue;
            const std::vector<float> weights =
                orThrow(backend.cellWeights(side, run.request, query, key, hooks));
            std::ranges::transform(weights, joined, joined.begin(), [&](float one, float others) {
                return isSum ? others + share * one : std::max(one, others);
            });
        }
    return joined;
}

}  // namespace

RunDetails::RunDetails(Worker& worker, int firstSlot, std::uint64_t budget)
    : m_worker(worker), m_mapSlot(firstSlot), m_budget(budget)
{
}

void RunDetails::setRun(Side side, std::shared_ptr<const SideRun> run)
{
    if (m_runs[indexOf(side)] == run)
        return;
    m_runs[indexOf(side)] = std::move(run);
    std::erase_if(m_wanted, [&](const service::MapQuery& query) { return query.side == side; });
    std::erase_if(m_refused, [&](const service::MapQuery& query) { return query.side == side; });
    for (auto stored = m_maps.begin(); stored != m_maps.end();) {
        if (stored->query.side == side) {
            m_worker.dispose(std::move(stored->map));
            stored = m_maps.erase(stored);
        } else {
            ++stored;
        }
    }
    m_worker.cancel(cellSlot(side));
    m_cells[indexOf(side)] = {};
    m_worker.cancel(tileSlot(side));
    m_tiles[indexOf(side)] = {};
    if (m_active && m_active->side == side) {
        m_worker.cancel(m_mapSlot);
        m_active.reset();
        askNext();
    }
}

void RunDetails::setBudget(std::uint64_t bytes)
{
    m_budget = bytes;
    m_refused.clear();
    trim();
}

engine::LayerMap RunDetails::map(const service::MapQuery& query)
{
    const auto stored = std::ranges::find(m_maps, query, &Stored::query);
    if (stored != m_maps.end()) {
        m_maps.splice(m_maps.end(), m_maps, stored);
        return stored->map;
    }
    const auto& run = m_runs[indexOf(query.side)];
    if (!run || query.layer < 0 || query.layer >= run->after.heads.layers || m_refused.contains(query) ||
        (run->hasBlocks() && !engine::addsUp(query.kind)) || isTooLarge(query) || isTooFar(query) ||
        !service::whyNotPossible(*run->request.model, query.kind).empty())
        return nullptr;
    want(query);
    askNext();
    return nullptr;
}

std::uint64_t RunDetails::bytesOf(const service::MapQuery& query) const
{
    const engine::RunResult& run = m_runs[indexOf(query.side)]->after;
    return sizeof(float) * static_cast<std::uint64_t>(run.heads.headsOf(query.layer)) *
           run.pattern().mapSize();
}

bool RunDetails::isTooLarge(const service::MapQuery& query)
{
    const std::uint64_t bytes = bytesOf(query);
    if (bytes <= m_budget / kLargestPart)
        return false;
    const bool isFirst = std::ranges::none_of(
        m_refused, [&](const service::MapQuery& refused) { return refused.side == query.side; });
    m_refused.insert(query);
    if (isFirst)
        Q_EMIT failed(Error{ErrorCode::TooLarge,
                            "The exact weights of one layer take " + formatBytes(bytes) + " of a budget of " +
                                formatBytes(m_budget) +
                                "; raise the memory for maps in the preferences or shorten the prompt.",
                            {}});
    return true;
}

/// What the pointer passes over is not fetched from another machine if it is much: tiles answer instead.
bool RunDetails::isTooFar(const service::MapQuery& query) const
{
    static constexpr std::uint64_t kLittle = 2 << 20;
    const service::SideRequest& request = m_runs[indexOf(query.side)]->request;
    return query.layer != m_openedLayer && bytesOf(query) > kLittle &&
           service::farSource(request.model->request.source);
}

void RunDetails::want(const service::MapQuery& query)
{
    if (m_active == query)
        return;
    std::erase(m_wanted, query);
    m_wanted.push_back(query);
    const auto passedOver = [&](const service::MapQuery& wanted) { return wanted.layer != m_openedLayer; };
    if (static_cast<std::size_t>(std::ranges::count_if(m_wanted, passedOver)) > kMostWanted)
        m_wanted.erase(std::ranges::find_if(m_wanted, passedOver));
}

void RunDetails::askNext()
{
    if (m_active || m_wanted.empty())
        return;
    const service::MapQuery query = m_wanted.back();
    m_wanted.pop_back();
    m_active = query;
    m_worker.post<engine::LayerMap>(
        {m_mapSlot, tr("Reading layer %1").arg(query.layer), /*isQuiet=*/true, WorkQueue::Running::Finish},
        [run = m_runs[indexOf(query.side)], query](service::Backend& backend, const Hooks& hooks) {
            return backend.maps(run->request, query, hooks);
        },
        [this, query](const Result<engine::LayerMap>& result) { arrived(query, result); });
}

void RunDetails::arrived(const service::MapQuery& query, const Result<engine::LayerMap>& result)
{
    m_active.reset();
    if (result)
        store(query, *result);
    else if (result.error().code != ErrorCode::Cancelled)
        m_refused.insert(query);
    askNext();
    if (result)
        Q_EMIT mapReady(query);
    else if (result.error().code != ErrorCode::Cancelled)
        Q_EMIT failed(result.error());
}

void RunDetails::store(const service::MapQuery& query, engine::LayerMap map)
{
    m_maps.push_back({query, std::move(map), bytesOf(query)});
    trim();
}

void RunDetails::trim()
{
    std::uint64_t bytes = 0;
    for (const Stored& stored : m_maps)
        bytes += stored.bytes;
    while (bytes > m_budget && m_maps.size() > kFewestKept) {
        bytes -= m_maps.front().bytes;
        m_worker.dispose(std::move(m_maps.front().map));
        m_maps.pop_front();
    }
}

RunDetails::Cells RunDetails::cells(Side side, text::TokenSpan queries, text::TokenSpan keys, bool isSum)
{
    CellsOf& cells = m_cells[indexOf(side)];
    const auto& run = m_runs[indexOf(side)];
    if (!run || queries.first < 0 || keys.first < 0 || queries.last >= run->after.queries() ||
        keys.last >= run->after.keys())
        return nullptr;
    if (cells.queries == queries && cells.keys == keys && cells.isSum == isSum &&
        (cells.values || cells.isAsked))
        return cells.values;
    cells = {queries, keys, isSum, nullptr, true};
    const auto done = [this, side, queries, keys, isSum](const Result<std::vector<float>>& result) {
        CellsOf& now = m_cells[indexOf(side)];
        if (now.queries != queries || now.keys != keys || now.isSum != isSum)
            return;
        if (result) {
            now.values = std::make_shared<const std::vector<float>>(*result);
            Q_EMIT cellsReady(side);
        } else if (result.error().code != ErrorCode::Cancelled) {
            Q_EMIT failed(result.error());
        }
    };
    m_worker.post<std::vector<float>>(
        {cellSlot(side), tr("Reading one cell of every head"), /*isQuiet=*/true, WorkQueue::Running::Cancel},
        [run, side, queries, keys, isSum](service::Backend& backend, const Hooks& hooks) {
            return guarded([&] { return joinedWeights(backend, side, *run, queries, keys, isSum, hooks); });
        },
        done);
    return nullptr;
}

RunDetails::Tiles RunDetails::tiles(Side side, engine::MapKind kind)
{
    const auto& run = m_runs[indexOf(side)];
    if (!run || !service::whyNotPossible(*run->request.model, kind).empty())
        return nullptr;
    TilesOf& tiles = m_tiles[indexOf(side)];
    if (tiles.kind == kind && (tiles.tiles || tiles.isAsked))
        return tiles.tiles;
    tiles = {kind, nullptr, true};
    const auto make = [run, side, kind](service::Backend& backend, const Hooks& hooks) {
        return guarded([&] {
            return render::TilePyramid::of(orThrow(backend.pooledMaps(side, run->request, kind, hooks)));
        });
    };
    const auto done = [this, side, kind](const Result<Tiles>& result) {
        TilesOf& now = m_tiles[indexOf(side)];
        if (now.kind != kind)
            return;
        if (result) {
            now.tiles = *result;
            Q_EMIT tilesReady(side);
        } else if (result.error().code != ErrorCode::Cancelled) {
            now = {};
            Q_EMIT tilesDropped();
            Q_EMIT failed(result.error());
        }
    };
    m_worker.post<Tiles>(
        {tileSlot(side), tr("Reading all heads"), /*isQuiet=*/false, WorkQueue::Running::Cancel}, make, done);
    return nullptr;
}

void RunDetails::cancel()
{
    m_worker.cancel(m_mapSlot);
    m_active.reset();
    m_wanted.clear();
    bool isDropped = false;
    for (const Side side : kSides) {
        m_worker.cancel(cellSlot(side));
        m_cells[indexOf(side)].isAsked = false;
        m_worker.cancel(tileSlot(side));
        TilesOf& tiles = m_tiles[indexOf(side)];
        if (tiles.isAsked && !tiles.tiles) {
            tiles = {};
            isDropped = true;
        }
    }
    if (isDropped)
        Q_EMIT tilesDropped();
}

}  // namespace hs::control
