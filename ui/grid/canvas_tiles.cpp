#include "grid/canvas.h"

#include "grid/kind_painter.h"

#include <QLocale>

#include <algorithm>

namespace hs::grid {

QRectF Canvas::tileRect(HeadId head) const
{
    if (head.isMlp())
        return mlpRect(head.layer);
    const auto found = std::find(m_content->heads.begin(), m_content->heads.end(), head);
    if (found == m_content->heads.end())
        return {};
    const Geometry geometry = geometryNow();
    const QRect tile = geometry.tile(m_places.place(static_cast<int>(found - m_content->heads.begin())));
    return {geometry.pixelToView(tile.topLeft()), QSizeF(tile.size()) / geometry.viewport().pixelRatio};
}

std::optional<HeadId> Canvas::headAt(QPointF view) const
{
    if (m_content->isEmpty())
        return std::nullopt;
    const Geometry geometry = geometryNow();
    const QPoint pixel = geometry.viewToPixel(view);
    if (!geometry.area().contains(pixel))
        return std::nullopt;
    for (const render::GridLayout::Mlp& mlp : m_places.mlps())
        if (geometry.mlpTile(mlp).contains(pixel))
            return m_content->mlpBehind(mlp);
    const auto place = geometry.placeAt(pixel);
    const int index = place ? m_places.tileAtPlace(*place) : render::GridLayout::kNoTile;
    if (index == render::GridLayout::kNoTile)
        return std::nullopt;
    return m_content->heads[static_cast<std::size_t>(index)];
}

QRectF Canvas::mlpRect(int layer) const
{
    const auto ofLayer = [&](const render::GridLayout::Mlp& mlp) {
        return m_content->mlpBehind(mlp) == HeadId::mlpOf(layer);
    };
    const auto found = std::ranges::find_if(m_places.mlps(), ofLayer);
    if (found == m_places.mlps().end())
        return {};
    const Geometry geometry = geometryNow();
    const QRect tile = geometry.mlpTile(*found);
    return {geometry.pixelToView(tile.topLeft()), QSizeF(tile.size()) / geometry.viewport().pixelRatio};
}

double Canvas::cellSide() const
{
    const int most = m_content->isEmpty() ? 0 : std::max(pattern().queries, pattern().keys);
    return most > 0 ? geometryNow().zoom().tileSide / most : 0;
}

std::optional<TileCell> Canvas::cellAt(QPointF view) const
{
    const auto head = headAt(view);
    // What is read of a cell comes from the run that is done.
    if (!head || head->isMlp() || m_content->isFresh(*head) || m_content->tiles == m_content->fresh)
        return std::nullopt;
    const Geometry geometry = geometryNow();
    const QPoint pixel = geometry.viewToPixel(view);
    const QPoint within = pixel - geometry.tile(*geometry.placeAt(pixel)).topLeft();
    const stats::PatternShape pattern = this->pattern();
    const Geometry::Range queries = geometry.pixelToTokens(within.y(), pattern.queries);
    const Geometry::Range keys = geometry.pixelToTokens(within.x(), pattern.keys);
    TileCell cell{*head, (queries.first + queries.last) / 2, (keys.first + keys.last) / 2};
    const render::TilePyramid& tiles = *m_content->tiles;
    const bool isPooled = queries.first < queries.last || keys.first < keys.last;
    if (!isPooled || tiles.isPooled() || !tiles.heads().contains(*head))
        return cell;
    const bool isDifference = tiles.meaning() == render::TilePyramid::Meaning::Signed;
    const std::uint8_t* cells = tiles.tile(*head, 0);
    int most = 0;
    for (int query = queries.first; query <= queries.last; ++query)
        for (int key = keys.first; key <= keys.last; ++key) {
            const std::uint8_t value = cells[pattern.indexOf(query, key)];
            const int strength = isDifference ? render::magnitudeKey(value) : value;
            if (strength > most) {
                most = strength;
                cell.query = query;
                cell.key = key;
            }
        }
    return cell;
}

QString Canvas::describe(HeadId head) const
{
    QStringList parts = {head.isMlp() ? tr("MLP of layer %1").arg(head.layer)
                                      : tr("layer %1 head %2").arg(head.layer).arg(head.head)};
    if (const auto density = m_content->density.find(head); density != m_content->density.end())
        parts << tr("density %1 %").arg(QLocale().toString(100 * density->second, 'g', 3));
    if (const QString note = noteOn(head); !note.isEmpty())
        parts << note;
    if (m_content->filtered.contains(head))
        parts << tr("filtered out");
    return parts.join(QStringLiteral(", "));
}

QString Canvas::noteOn(HeadId head) const
{
    QStringList parts;
    if (m_content->patched.contains(head))
        parts << tr("patched from the corrupted prompt");
    else if (m_content->ablated.contains(head))
        parts << tr("ablated");
    if (const auto mlp = m_content->mlps.find(head.layer); head.isMlp() && mlp != m_content->mlps.end())
        parts << mlp->second.words;
    if (m_content->edited.contains(head))
        parts << tr("cells cut: hatched");
    if (const auto badge = m_content->badges.find(head); badge != m_content->badges.end())
        parts << badge->second.description;
    if (const auto kind = m_content->kinds.find(head); kind != m_content->kinds.end())
        parts << kindTitle(kind->second);
    return parts.join(QStringLiteral(", "));
}

QSize Canvas::pooling() const
{
    if (m_content->isEmpty())
        return {1, 1};
    const int pixels = geometryNow().tileSide();
    const bool hasFullMaps = !m_content->fullMaps.empty();
    const auto along = [&](int tokens, int cells) {
        const int drawn = hasFullMaps ? pixels : std::min(pixels, cells);
        return drawn < tokens ? (tokens + drawn - 1) / drawn : 1;
    };
    const render::TilePyramid& tiles = *m_content->tiles;
    return {along(pattern().keys, tiles.columns()), along(pattern().queries, tiles.rows())};
}

}  // namespace hs::grid
