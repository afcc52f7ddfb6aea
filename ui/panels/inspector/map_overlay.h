#pragma once

#include "panels/inspector/map_viewport.h"
#include "panels/widgets/shown_tokens.h"
#include "text/token_match.h"

#include <QStringList>
#include <QWidget>

namespace hs::panels {

/// Positions to label: as many as fit at an even stride, and the lit one, which displaces those it would
/// touch. `least` is the distance two labels need, in pixels.
std::vector<int> labelledPositions(double first, double last, double cellSide, double least,
                                   std::optional<int> lit);

/// What is drawn over a map: the tokens along both axes and the marks for a row, a column and their cell. A
/// widget above the plot, so that pointing at a cell repaints a few lines and not the plot. Takes no mouse
/// events.
class MapOverlay : public QWidget {
    Q_OBJECT

public:
    explicit MapOverlay(QWidget* parent);

    void setLabels(const AxisLabels& labels);
    void setView(const MapViewport& view);
    void setMarks(std::optional<text::TokenSpan> query, std::optional<text::TokenSpan> key);
    /// Cells to hatch, in parts of the map.
    void setEdited(const QList<QRectF>& cells);
    void setFocusShown(bool isShown);

    std::optional<text::TokenSpan> markedQuery() const { return m_query; }
    std::optional<text::TokenSpan> markedKey() const { return m_key; }

    /// Room that labels need left of and below a map in a widget of that size; long labels are cut short.
    QMargins labelRoom(QSize room) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// That many pixels of a label are shown if the widest one needs `widest`.
    double longest(QSize room, double widest) const;
    bool isRotated() const;
    QFont labelFont(bool isLit) const;
    void paintMarks(QPainter& painter) const;
    void paintEdited(QPainter& painter) const;
    void paintQueries(QPainter& painter) const;
    void paintKeys(QPainter& painter) const;
    QString shortened(const QString& label, double widest, bool isLit) const;
    static std::optional<text::TokenSpan> inside(const std::optional<text::TokenSpan>& span, int tokens);

    AxisLabels m_labels;
    double m_widestQuery = 0;  // of the labels, in pixels
    double m_widestKey = 0;
    MapViewport m_view;
    std::optional<text::TokenSpan> m_query;
    std::optional<text::TokenSpan> m_key;
    QList<QRectF> m_edited;
    bool m_isFocusShown = false;
};

}  // namespace hs::panels
