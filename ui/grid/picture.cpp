#include "grid/picture.h"

#include "grid/badge_painter.h"
#include "grid/headings.h"
#include "grid/kind_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs::grid {
namespace {

constexpr double kDimmed = 0.35;    // the tile's own share of a dimmed tile's colour
constexpr double kStale = 0.5;      // the same for an outdated picture
constexpr int kKeptHatching = 512;  // pixels; larger hatched tiles are redrawn each time
constexpr int kHatchedTile = 20;    // in view coordinates; smaller ones have a tone and one line

/// Visits the visible tiles, each with its head and rectangle.
template <class Visit>
void forEachVisible(const Content& content, const render::GridLayout& places, const Geometry& geometry,
                    Visit visit)
{
    const QRect seen = geometry.visiblePlaces();
    for (int row = seen.top(); row <= seen.bottom(); ++row)
        for (int column = seen.left(); column <= seen.right(); ++column) {
            const int index = places.tileAtPlace({column, row});
            if (index != render::GridLayout::kNoTile)
                visit(content.heads[static_cast<std::size_t>(index)], geometry.tile({column, row}));
        }
}

/// Visits the visible slim tiles, each with its MLP and rectangle.
template <class Visit>
void forEachVisibleMlp(const Content& content, const render::GridLayout& places, const Geometry& geometry,
                       Visit visit)
{
    const QRect view(QPoint(), geometry.pixelSize());
    for (const render::GridLayout::Mlp& mlp : places.mlps())
        if (const QRect tile = geometry.mlpTile(mlp); tile.intersects(view))
            visit(content.mlpBehind(mlp), tile);
}

/// Along a slim tile's longer side, from its lower or left end.
QRect barIn(const QRect& tile, double share)
{
    const auto part = [&](int length) { return static_cast<int>(std::lround(std::abs(share) * length)); };
    if (tile.width() > tile.height())
        return {tile.topLeft(), QSize(part(tile.width()), tile.height())};
    const int height = part(tile.height());
    return {tile.left(), tile.bottom() + 1 - height, tile.width(), height};
}

void fill(QImage& image, const QRect& rect, QRgb colour)
{
    const QRect part = rect & image.rect();
    for (int y = part.top(); y <= part.bottom(); ++y)
        std::fill_n(reinterpret_cast<QRgb*>(image.scanLine(y)) + part.left(), part.width(), colour);
}

/// A line of `width` around the rectangle, outside it.
void drawFrame(QImage& image, const QRect& rect, int width, QRgb colour)
{
    const QRect outer = rect.adjusted(-width, -width, width, width);
    fill(image, QRect(outer.left(), outer.top(), outer.width(), width), colour);
    fill(image, QRect(outer.left(), rect.bottom() + 1, outer.width(), width), colour);
    fill(image, QRect(outer.left(), rect.top(), width, rect.height()), colour);
    fill(image, QRect(rect.right() + 1, rect.top(), width, rect.height()), colour);
}

void dim(QImage& image, const QRect& rect, QRgb ground, double share)
{
    const QRect part = rect & image.rect();
    const auto own = static_cast<std::uint32_t>(std::lround(256 * share));
    const std::uint32_t rest = 256 - own;
    const std::uint32_t redBlue = (ground & 0xff00ff) * rest;
    const std::uint32_t green = (ground & 0x00ff00) * rest;
    for (int y = part.top(); y <= part.bottom(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y)) + part.left();
        for (int x = 0; x < part.width(); ++x)
            line[x] = 0xff000000 | ((((line[x] & 0xff00ff) * own + redBlue) >> 8) & 0xff00ff) |
                      ((((line[x] & 0x00ff00) * own + green) >> 8) & 0x00ff00);
    }
}

/// Cuts a corner off, so that a dimmed tile also differs in shape.
void cutCorner(QPainter& painter, const QRect& tile, int frame, render::LabelCorner label, const Inks& inks)
{
    const double length = std::clamp(tile.width() / 4.0, 4.0 * frame, 24.0 * frame);
    const bool isLeft = label == render::LabelCorner::TopRight || label == render::LabelCorner::BottomRight;
    const bool isTop = label == render::LabelCorner::BottomLeft || label == render::LabelCorner::BottomRight;
    const QRectF outer = tile.adjusted(-frame, -frame, frame, frame);
    const QPointF corner(isLeft ? outer.left() : outer.right(), isTop ? outer.top() : outer.bottom());
    const QPointF across(isLeft ? length : -length, 0);
    const QPointF down(0, isTop ? length : -length);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor::fromRgb(mixed(inks.ink, inks.ground, 0.4)));
    painter.drawPolygon(QPolygonF{corner, corner + across, corner + down});
    const double rest = 1 - 1.8 * frame / length;
    painter.setBrush(QColor::fromRgb(inks.ground));
    painter.drawPolygon(QPolygonF{corner, corner + rest * across, corner + rest * down});
}

/// Hatching for tiles in which lines would run together.
void paintDiagonal(QPainter& painter, const QRect& tile, render::Hatching hatching, double width, QRgb ground,
                   QRgb line)
{
    painter.fillRect(tile, QColor::fromRgb(mixed(line, ground, 0.35)));
    painter.setPen(QPen(QColor::fromRgb(line), width, Qt::SolidLine, Qt::FlatCap));
    const QRectF square(tile);
    if (hatching == render::Hatching::Rising)
        painter.drawLine(square.bottomLeft(), square.topRight());
    else
        painter.drawLine(square.topLeft(), square.bottomRight());
}

/// Where a tile's label can go: in the visible part of a tile that the view's edge cuts off.
QRect labelRoom(const QRect& tile, const QRect& view, int least)
{
    const QRect seen = tile & view;
    return seen.width() >= least && seen.height() >= least ? seen : tile;
}

}  // namespace

render::ColourMap mapFor(const Content& content, bool isDark)
{
    const bool isDifference =
        content.tiles && content.tiles->meaning() == render::TilePyramid::Meaning::Signed;
    const render::ColourMap map =
        isDifference ? render::ColourMap::diverging() : render::ColourMap::named(content.look.colourMap);
    return isDark ? map.onDark() : map;
}

const QImage& Picture::image(const std::shared_ptr<const Content>& content, const render::GridLayout& places,
                             const Geometry& geometry, const Inks& inks)
{
    Key key{content, geometry.tileSide(), geometry.origin(), geometry.viewport(), inks};
    if (m_key != key) {
        draw(key, places, geometry);
        m_key = std::move(key);
    }
    return m_image;
}

void Picture::draw(const Key& key, const render::GridLayout& places, const Geometry& geometry)
{
    const Content& content = *key.content;
    const QSize size = geometry.pixelSize();
    if (m_image.size() != size)
        m_image = QImage(size, QImage::Format_RGB32);
    m_image.setDevicePixelRatio(1);
    m_image.fill(key.inks.ground);
    if (content.isEmpty())
        return;

    const render::ColourMap map = mapFor(content, key.inks.isDark);
    const QList<QRgb> table = map.table(content.look.scale);
    render::CellColours colours;
    std::copy(table.begin(), table.end(), colours.begin());
    const int frame = std::max(1, static_cast<int>(std::lround(key.viewport.pixelRatio)));
    render::TileRaster raster(m_image);
    forEachVisible(content, places, geometry, [&](HeadId head, const QRect& tile) {
        if (!content.ablated.contains(head) && content.tilesOf(head))
            drawCells(raster, content, head, tile, colours);
        for (const QRectF& band : content.unmatched)
            fill(m_image, render::placeIn(tile, band).toAlignedRect() & tile, key.inks.unmatched);
        drawFrame(m_image, tile, frame, key.inks.frame);
    });

    QPainter painter(&m_image);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!content.ablated.empty())
        forEachVisible(content, places, geometry, [&](HeadId head, const QRect& tile) {
            if (content.ablated.contains(head))
                drawHatching(painter, tile,
                             content.patched.contains(head) ? render::Hatching::Falling
                                                            : render::Hatching::Rising,
                             key);
        });
    if (!content.edited.empty())
        drawEdited(painter, key, places, geometry);
    drawMlps(painter, key, places, geometry, frame);
    const KindPainter kinds(painter, key.inks, key.viewport.pixelRatio, geometry.tileSide());
    forEachVisible(content, places, geometry,
                   [&](HeadId head, const QRect& tile) { kinds.paint(content, head, tile); });
    drawLabels(painter, key, map.ground(), places, geometry);
    if (!content.badges.empty())
        drawBadges(painter, key, places, geometry);
    if (!content.filtered.empty())
        forEachVisible(content, places, geometry, [&](HeadId head, const QRect& tile) {
            if (!content.filtered.contains(head))
                return;
            dim(m_image, tile.adjusted(-frame, -frame, frame, frame), key.inks.ground, kDimmed);
            cutCorner(painter, tile, frame, content.look.labelCorner, key.inks);
        });
    paintHeadings(painter, places, geometry, key.inks);
    painter.end();
    if (content.isStale && !content.fresh)
        dim(m_image, m_image.rect(), key.inks.ground, kStale);
    else if (content.isStale)
        forEachVisible(content, places, geometry, [&](HeadId head, const QRect& tile) {
            if (!content.isFresh(head))
                dim(m_image, tile.adjusted(-frame, -frame, frame, frame), key.inks.ground, kStale);
        });
}

void Picture::drawCells(render::TileRaster& raster, const Content& content, HeadId head, const QRect& tile,
                        const render::CellColours& colours)
{
    const bool hidesFirst = content.look.hidesFirstToken;
    const auto full = content.wantsFullMaps(tile.width()) && !content.isFresh(head)
                          ? content.fullMaps.find(head)
                          : content.fullMaps.end();
    const bool isFull = full != content.fullMaps.end();
    const render::TilePyramid& tiles = isFull ? *full->second : *content.tilesOf(head);
    const HeadId within = isFull ? HeadId{0, 0} : head;
    const int peak = content.look.isPerHead ? tiles.peak(within, hidesFirst) : tiles.reach(within);
    if (peak != 255)
        raster.draw(tiles, within, tile.topLeft(), tile.width(),
                    render::normalised(colours, peak, tiles.meaning()), hidesFirst);
    else
        raster.draw(tiles, within, tile.topLeft(), tile.width(), colours, hidesFirst);
}

void Picture::drawHatching(QPainter& painter, const QRect& tile, render::Hatching hatching, const Key& key)
{
    const double unit = key.viewport.pixelRatio;
    const bool isRising = hatching == render::Hatching::Rising;
    const QRgb ground = isRising ? key.inks.hatchGround : key.inks.patchGround;
    const QRgb line = isRising ? key.inks.hatchLine : key.inks.patchLine;
    if (tile.width() <= kKeptHatching) {
        HatchedTile& kept = m_hatched[static_cast<std::size_t>(hatching)];
        if (kept.picture.size() != tile.size() || kept.ground != ground) {
            kept = {QImage(tile.size(), QImage::Format_RGB32), ground};
            QPainter hatched(&kept.picture);
            hatched.setRenderHint(QPainter::Antialiasing);
            if (std::max(tile.width(), tile.height()) < kHatchedTile * unit)
                paintDiagonal(hatched, kept.picture.rect(), hatching, unit, ground, line);
            else
                render::paintHatching(hatched, kept.picture.rect(), hatching, unit, unit, ground, line);
        }
        painter.drawImage(tile.topLeft(), kept.picture);
        return;
    }
    // A tile can be far larger than the view: draw only the visible lines, at the same places.
    const QRect seen = tile & m_image.rect();
    const int side = std::max(seen.width(), seen.height());
    const int period = static_cast<int>(8 * unit);
    const QPoint offset = seen.topLeft() - tile.topLeft();
    const int before = (offset.x() + offset.y()) % period;
    const int after = ((tile.width() - offset.x() + offset.y() - side) % period + period) % period;
    const QRectF part = isRising ? QRectF(seen.left() - before, seen.top(), side + before, side + before)
                                 : QRectF(seen.left(), seen.top(), side + after, side + after);
    painter.save();
    painter.setClipRect(seen);
    render::paintHatching(painter, part, hatching, unit, unit, ground, line);
    painter.restore();
}

/// Slim tiles with a bar as long as the MLP's share.
void Picture::drawMlps(QPainter& painter, const Key& key, const render::GridLayout& places,
                       const Geometry& geometry, int frame)
{
    const Content& content = *key.content;
    forEachVisibleMlp(content, places, geometry, [&](HeadId mlp, const QRect& tile) {
        fill(m_image, tile, key.inks.hatchGround);
        if (content.ablated.contains(mlp))
            drawHatching(painter, tile,
                         content.patched.contains(mlp) ? render::Hatching::Falling : render::Hatching::Rising,
                         key);
        else if (const auto known = content.mlps.find(mlp.layer); known != content.mlps.end())
            fill(m_image, barIn(tile, known->second.share),
                 known->second.share < 0 ? key.inks.mark : key.inks.accent);
        drawFrame(m_image, tile, frame, key.inks.frame);
    });
}

/// Cells that are changed, at least a pixel each.
void Picture::drawEdited(QPainter& painter, const Key& key, const render::GridLayout& places,
                         const Geometry& geometry)
{
    const double unit = key.viewport.pixelRatio;
    forEachVisible(*key.content, places, geometry, [&](HeadId head, const QRect& tile) {
        const auto edited = key.content->edited.find(head);
        if (edited == key.content->edited.end())
            return;
        for (const QRectF& cells : edited->second) {
            const QRect place = render::placeIn(tile, cells).toAlignedRect() & m_image.rect();
            render::paintHatching(painter, place, render::Hatching::Rising, unit, unit, key.inks.hatchGround,
                                  key.inks.hatchLine);
        }
    });
}

int Picture::labelPixels(const Geometry& geometry)
{
    const double ratio = geometry.viewport().pixelRatio;
    return static_cast<int>(ratio * tileLabelSize(geometry.tileSide() / ratio));
}

void Picture::drawLabels(QPainter& painter, const Key& key, QRgb ground, const render::GridLayout& places,
                         const Geometry& geometry)
{
    const int size = labelPixels(geometry);
    if (size == 0)
        return;
    const Content& content = *key.content;
    const render::LabelInks inks = key.inks.labels(ground);
    forEachVisible(content, places, geometry, [&](HeadId head, const QRect& tile) {
        const double width = render::LabelCache::width(head, size);
        const QRect room = labelRoom(tile, geometry.area(), static_cast<int>(width) + 2 * size);
        const QRectF capitals = render::labelCapitals(QRectF(room), content.look.labelCorner, width, size);
        const QPoint at(static_cast<int>(std::lround(capitals.left())) - render::LabelCache::padding(size),
                        static_cast<int>(std::lround(capitals.bottom())) -
                            render::LabelCache::baseline(size));
        const bool isOff = content.ablated.contains(head) && !content.patched.contains(head);
        painter.drawImage(at, m_labels.label(head, size, isOff, inks));
    });
}

void Picture::drawBadges(QPainter& painter, const Key& key, const render::GridLayout& places,
                         const Geometry& geometry)
{
    const Content& content = *key.content;
    const int size = labelPixels(geometry);
    BadgePainter badges(painter, key.inks, key.viewport.pixelRatio, geometry.tileSide(), size,
                        content.look.labelCorner);
    forEachVisible(content, places, geometry, [&](HeadId head, const QRect& tile) {
        if (const auto badge = content.badges.find(head); badge != content.badges.end())
            badges.paint(badge->second, labelRoom(tile, geometry.area(), 4 * size));
    });
}

}  // namespace hs::grid
