#include "grid/late_tiles.h"

#include "base/failure.h"
#include "control/work/late_work.h"

#include <algorithm>

namespace hs::grid {
namespace {

constexpr std::size_t kBudget = std::size_t{256} << 20;  // bytes
constexpr std::size_t kFewestKept = 2;                   // whatever their size: each grid shows one

std::size_t bytesOf(const LateTiles::Tiles& tiles)
{
    if (!tiles)
        return 0;
    const auto rows = static_cast<std::size_t>(tiles->rows());
    const auto columns = static_cast<std::size_t>(tiles->columns());
    return static_cast<std::size_t>(tiles->heads().total()) * rows * columns * 4 / 3;
}

bool isSame(const std::weak_ptr<const void>& a, const std::weak_ptr<const void>& b)
{
    return !a.owner_before(b) && !b.owner_before(a);
}

}  // namespace

bool operator==(const LateTiles::Order& a, const LateTiles::Order& b)
{
    return isSame(a.first, b.first) && isSame(a.second, b.second) && a.part == b.part;
}

LateTiles::LateTiles(QObject* parent) : QObject(parent), m_work(new control::LateWork(this)) {}

LateTiles::Found LateTiles::get(int key, const Order& order, const std::function<Tiles()>& make)
{
    const auto kept = std::ranges::find(m_kept, order, &Kept::order);
    if (kept != m_kept.end()) {
        m_kept.splice(m_kept.begin(), m_kept, kept);
        return kept->found;
    }
    const auto [asked, isNew] = m_asked.try_emplace(key, order);
    if (isNew || asked->second != order) {
        asked->second = order;
        m_work->ask(
            [this, key, order, make]() -> control::LateWork::Take {
                const Result<Tiles> tiles = guarded(make);
                Found found;
                if (tiles)
                    found.tiles = *tiles;
                else
                    found.problem = QString::fromStdString(tiles.error().message);
                return [this, key, order, found] { keep(key, order, found); };
            },
            key);
    }
    return {nullptr, /*isComing=*/true, {}};
}

void LateTiles::keep(int key, const Order& order, Found found)
{
    const auto asked = m_asked.find(key);
    if (asked != m_asked.end() && asked->second == order)
        m_asked.erase(asked);
    m_kept.push_front({order, std::move(found)});
    trim();
    Q_EMIT made();
}

void LateTiles::trim()
{
    std::erase_if(m_kept, [](const Kept& kept) { return kept.order.isGone(); });
    std::size_t bytes = 0;
    for (const Kept& kept : m_kept)
        bytes += bytesOf(kept.found.tiles);
    for (; bytes > kBudget && m_kept.size() > kFewestKept; m_kept.pop_back())
        bytes -= bytesOf(m_kept.back().found.tiles);
}

}  // namespace hs::grid
