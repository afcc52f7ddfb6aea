#include "grid/tile_workshop.h"

#include <algorithm>

namespace hs {
namespace {

constexpr std::size_t kBudget = std::size_t{256} << 20;  // bytes, of pyramids that are kept

std::size_t bytesOf(const TilePyramid& tiles)
{
    const auto side = static_cast<std::size_t>(tiles.side());
    return static_cast<std::size_t>(tiles.heads().total()) * side * side * 4 / 3;
}

}  // namespace

TileWorkshop::TileWorkshop(QObject* parent) : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
}

TileWorkshop::~TileWorkshop()
{
    m_pool.clear();
    m_pool.waitForDone();
}

TileWorkshop::Tiles TileWorkshop::get(const Order& order, std::function<Tiles()> make)
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const Entry& entry) { return entry.order == order; });
    if (found != m_entries.end()) {
        m_entries.splice(m_entries.begin(), m_entries, found);
        return found->tiles;
    }
    m_entries.push_front({order, nullptr, false});
    m_pool.start([this, order, make = std::move(make)] {
        Tiles tiles = make();
        QMetaObject::invokeMethod(this, [this, order, tiles = std::move(tiles)] { store(order, tiles); });
    });
    return nullptr;
}

bool TileWorkshop::isMaking(const Order& order) const
{
    return std::any_of(m_entries.begin(), m_entries.end(),
                       [&](const Entry& entry) { return entry.order == order && !entry.isMade; });
}

void TileWorkshop::store(const Order& order, Tiles tiles)
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const Entry& entry) { return entry.order == order; });
    if (found == m_entries.end())
        return;
    found->tiles = std::move(tiles);
    found->isMade = true;
    trim();
    Q_EMIT made();
}

void TileWorkshop::trim()
{
    // The newest two stay whatever their size: both grids show one each.
    constexpr std::size_t kAlwaysKept = 2;
    std::size_t bytes = 0;
    std::size_t kept = 0;
    for (auto entry = m_entries.begin(); entry != m_entries.end();) {
        bytes += entry->tiles ? bytesOf(*entry->tiles) : 0;
        const bool isOver = bytes > kBudget && kept >= kAlwaysKept && entry->isMade;
        entry = isOver ? m_entries.erase(entry) : std::next(entry);
        kept += isOver ? 0 : 1;
    }
}

}  // namespace hs
