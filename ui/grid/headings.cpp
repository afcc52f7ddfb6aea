#include "grid/headings.h"

#include "render/figure_style.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <set>

namespace hs::grid {
namespace {

constexpr double kHeadingCapitals = 0.73;  // height of capitals, of the text's size
constexpr double kSpaceBeside = 0.3;       // between heading and tile, likewise

/// One in how many places has room for a heading `length` long if places are `step` apart.
int thinned(double length, int step)
{
    static constexpr int kSteps[] = {1, 2, 5, 10, 20, 50, 100};
    const auto* const found = std::find_if(std::begin(kSteps), std::end(kSteps) - 1,
                                           [&](int each) { return each * step >= length; });
    return *found;
}

class HeadingPainter {
public:
    HeadingPainter(QPainter& painter, const render::GridLayout& places, const Geometry& geometry,
                   const Inks& inks)
        : m_painter(painter), m_places(places), m_geometry(geometry), m_inks(inks),
          m_block(places.shape().block), m_seen(geometry.visiblePlaces()),
          m_size(geometry.viewport().headingSize * geometry.viewport().pixelRatio)
    {
        m_painter.setFont(
            render::figureFont(painter.device(), QStringLiteral("LHMP0123456789"), m_size, QFont::Normal));
    }

    void paint()
    {
        const int firstAcross = m_seen.left() / m_block.width();
        const int firstDown = m_seen.top() / m_block.height();
        for (int block = firstAcross + 1; block <= m_seen.right() / m_block.width(); ++block)
            paintRows(block, m_geometry.tile({block * m_block.width(), 0}).left());
        for (int block = firstDown + 1; block <= m_seen.bottom() / m_block.height(); ++block)
            paintColumns(block, m_geometry.tile({0, block * m_block.height()}).top());
        // What is below the strips is cut off there.
        const QRect area = m_geometry.area();
        const QSize all = m_geometry.pixelSize();
        const QColor ground = QColor::fromRgb(m_inks.ground);
        m_painter.fillRect(QRect(0, 0, area.left(), all.height()), ground);
        m_painter.fillRect(QRect(0, 0, all.width(), area.top()), ground);
        paintRows(firstAcross,
                  std::max(area.left(), m_geometry.tile({firstAcross * m_block.width(), 0}).left()));
        paintColumns(firstDown,
                     std::max(area.top(), m_geometry.tile({0, firstDown * m_block.height()}).top()));
    }

private:
    static QString nameOfMlps() { return QString::fromStdString(std::string(kMlpName)); }
    bool isInSight(double place, int first, int last) const { return place >= first && place <= last; }

    void write(const QRectF& place, Qt::Alignment alignment, const QString& text)
    {
        m_painter.setPen(QColor::fromRgb(m_inks.quiet));
        m_painter.drawText(place, static_cast<int>(alignment) | Qt::TextSingleLine | Qt::TextDontClip, text);
    }

    /// To the left of `right`.
    void paintRows(int block, int right)
    {
        const QRect area = m_geometry.area();
        const int step = thinned(1.1 * m_size, m_geometry.pixels().down.metrics.step());
        for (int row = m_seen.top(); row <= m_seen.bottom(); ++row) {
            const double middle = QRectF(m_geometry.tile({0, row})).center().y();
            if (row % m_block.height() % step != 0 ||
                !isInSight(middle, area.top() + static_cast<int>(kHeadingCapitals * m_size / 2),
                           area.bottom()))
                continue;
            write(QRectF(right - kSpaceBeside * m_size - 1000, middle - m_size, 1000, 2 * m_size),
                  Qt::AlignRight | Qt::AlignVCenter, m_places.rowHeading(row, block));
        }
        if (m_places.shape().toMlp.height() == 0)
            return;
        std::set<int> rows;
        for (const render::GridLayout::Mlp& mlp : m_places.mlps()) {
            const double middle = QRectF(m_geometry.mlpTile(mlp)).center().y();
            if (rows.insert(mlp.place.y()).second &&
                isInSight(middle, area.top() + static_cast<int>(m_size / 2), area.bottom()))
                write(QRectF(right - kSpaceBeside * m_size - 1000, middle - m_size, 1000, 2 * m_size),
                      Qt::AlignRight | Qt::AlignVCenter, nameOfMlps());
        }
    }

    /// Above `bottom`.
    void paintColumns(int block, int bottom)
    {
        const QRect area = m_geometry.area();
        const double longest =
            0.64 * m_size * static_cast<double>(m_places.columnHeading(m_seen.right(), block).size());
        const int step = thinned(longest + 0.4 * m_size, m_geometry.pixels().across.metrics.step());
        for (int column = m_seen.left(); column <= m_seen.right(); ++column) {
            const double middle = QRectF(m_geometry.tile({column, 0})).center().x();
            if (column % m_block.width() % step != 0 || !isInSight(middle, area.left(), area.right()))
                continue;
            write(QRectF(middle - 500, bottom - 2 * m_size - kSpaceBeside * m_size, 1000, 2 * m_size),
                  Qt::AlignHCenter | Qt::AlignBottom, m_places.columnHeading(column, block));
        }
        if (m_places.shape().toMlp.width() == 0 || m_places.flow().kind == render::TileFlow::Kind::Wrapped)
            return;
        std::set<int> columns;
        for (const render::GridLayout::Mlp& mlp : m_places.mlps()) {
            const QRectF slim = m_geometry.mlpTile(mlp);
            // Above a narrow one it would run into the name of the last head.
            if (columns.insert(mlp.place.x()).second && slim.width() >= m_size &&
                isInSight(slim.center().x(), area.left(), area.right()))
                write(QRectF(slim.center().x() - 500, bottom - 2 * m_size - kSpaceBeside * m_size, 1000,
                             2 * m_size),
                      Qt::AlignHCenter | Qt::AlignBottom, nameOfMlps());
        }
    }

    QPainter& m_painter;
    const render::GridLayout& m_places;
    const Geometry& m_geometry;
    const Inks& m_inks;
    QSize m_block;
    QRect m_seen;   // places
    double m_size;  // of the text, in pixels
};

}  // namespace

void paintHeadings(QPainter& painter, const render::GridLayout& places, const Geometry& geometry,
                   const Inks& inks)
{
    if (!geometry.pixels().strips.isNull() && !geometry.visiblePlaces().isEmpty())
        HeadingPainter(painter, places, geometry, inks).paint();
}

}  // namespace hs::grid
