#pragma once

#include "render/figure_style.h"

#include <QColor>
#include <QFont>
#include <QImage>
#include <QPainterPath>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace hs::figures {

struct Page;

struct TextStyle {
    double size = 7;  // points
    QFont::Weight weight = QFont::Normal;
    QRgb ink = render::FigureStyle::kInk;
    std::optional<QRgb> halo;  // a rim that keeps text legible on any ground
};

enum class Align { Left, Centre, Right };

/// A line of text; `baseline` is its left end.
struct DrawnText {
    QPointF baseline;
    QString text;
    TextStyle style;
    double width = 0;
    double angle = 0;  // degrees, counter-clockwise about the baseline's left end

    /// The most its letters can cover, from ascenders to descenders.
    QRectF bounds() const;
};

struct Stroke {
    QRgb ink = render::FigureStyle::kInk;
    double width = 0.5;  // points
    bool isDashed = false;
};

/// An outline, a filled shape, or both.
struct DrawnShape {
    QPainterPath path;
    std::optional<Stroke> stroke;
    std::optional<QRgb> fill;
};

/// A picture with one pixel per cell (Format_Indexed8), drawn with crisp cells at any size.
struct DrawnCells {
    QRectF place;
    QImage cells;
};

/// Everything on a page in painting order, in points from its top left corner: what presets make and
/// every kind of file is written from. A value independent of devices, so that a test can check whether
/// texts collide.
class Drawing {
public:
    using Item = std::variant<DrawnShape, DrawnCells, DrawnText>;

    explicit Drawing(QString fontFamily = {}) : m_fontFamily(std::move(fontFamily)) {}

    const QString& fontFamily() const { return m_fontFamily; }
    QSizeF size() const { return m_size; }
    void setSize(QSizeF size) { m_size = size; }
    const std::vector<Item>& items() const { return m_items; }

    /// What the reader should know about how it was drawn: "Labels of … were left out".
    const QStringList& notes() const { return m_notes; }
    void note(const QString& sentence);

    /// The same figure for readers with a browser; null if it is for paper alone.
    const std::shared_ptr<const Page>& page() const { return m_page; }
    void setPage(std::shared_ptr<const Page> page) { m_page = std::move(page); }

    double widthOf(const QString& text, const TextStyle& style) const;
    /// The text with its middle replaced by … until it is at most `width` wide.
    QString elided(const QString& text, const TextStyle& style, double width) const;

    /// `at` is the baseline's left end, middle or right end. Empty text draws nothing.
    void text(QPointF at, const QString& text, const TextStyle& style, Align align = Align::Left);
    /// Text that runs upwards; `at` is its start, middle or end.
    void textUpwards(QPointF at, const QString& text, const TextStyle& style, Align align = Align::Left);
    void line(QPointF from, QPointF to, const Stroke& stroke);
    void shape(const QPainterPath& path, std::optional<Stroke> stroke, std::optional<QRgb> fill = {});
    void rect(const QRectF& rect, std::optional<Stroke> stroke, std::optional<QRgb> fill = {},
              double radius = 0);
    /// A filled head at the end of a line or curve that arrives there in direction `towards`.
    void arrowHead(QPointF tip, QPointF towards, double length, QRgb ink);
    void cells(const QRectF& place, const QImage& cells);

    /// Adds another drawing's items, moved by `offset`, and its notes.
    void add(const Drawing& other, QPointF offset);

private:
    QString m_fontFamily;
    QSizeF m_size;
    std::vector<Item> m_items;
    QStringList m_notes;
    std::shared_ptr<const Page> m_page;
};

}  // namespace hs::figures
