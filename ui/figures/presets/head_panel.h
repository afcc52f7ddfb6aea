#pragma once

#include "figures/presets/head_figure.h"

#include <QStringList>

namespace hs::figures {

/// Texts beside the rows or columns of a map: all tokens if there is room for legible text, otherwise
/// every n-th with its position in front.
struct TokenLabels {
    double size = 0;
    int every = 1;
    QStringList texts;  // of each labelled token, cut to leave room for the map
    double depth = 0;   // from the map to the far side of the axis's name

    TokenLabels(const std::vector<QString>& tokens, const Form& form, double mapSide);
};

/// A map whose longer side is `side`: of square cells, unless it would be a narrow strip.
QSizeF mapSize(const stats::PatternShape& pattern, double side);

/// One head's map with its tokens: queries down the left, keys along the bottom.
class HeadPanel {
public:
    /// `map` is in points; the labels are those of the figure's tokens.
    HeadPanel(const HeadFigurePanel& panel, const stats::PatternShape& shape, const TokenLabels& queries,
              const TokenLabels& keys, const Form& form, QSizeF map);

    /// Including labels, axis names and the height of the heading, which may be wider.
    QSizeF size() const { return m_size; }
    double headingWidth() const;
    bool hasMap() const { return m_panel.maps && m_shape.mapSize() > 0; }

    void draw(Drawing& drawing, QPointF at, double width) const;

private:
    const float* pattern() const;  // [query, key]
    QString label() const;
    QString caption() const;
    QString missingText() const;
    void drawMissing(Drawing& drawing, const QRectF& map, double left, double width) const;
    void drawMap(Drawing& drawing, const QRectF& map) const;
    void drawLabels(Drawing& drawing, const QRectF& map) const;
    void drawNames(Drawing& drawing, const QRectF& map) const;

    const HeadFigurePanel& m_panel;
    stats::PatternShape m_shape;
    const TokenLabels& m_queries;
    const TokenLabels& m_keys;
    const Form& m_form;
    QSizeF m_map;
    QPointF m_origin;  // of the map
    QSizeF m_size;
};

/// The map as colour levels, one pixel per cell; above 512 tokens a cell is the largest weight of those it
/// covers. `pattern` is [query, key].
QImage mapImage(const float* pattern, const stats::PatternShape& shape, const Form& form);

}  // namespace hs::figures
