#pragma once

#include "figures/parts/arched_arrow.h"
#include "figures/parts/token_chips.h"
#include "figures/presets/attribution_figure.h"

namespace hs::figures {

/// The part below an attribution's heads: the prompt as chips, with boxes for the sources above theirs,
/// the target on the right, and the arrow from the main source to it, or to the source that it makes.
class AttributionStrip {
public:
    AttributionStrip(const AttributionFigure& figure, const Form& form, double width);

    double height() const;
    /// The number of tokens for which there is no room.
    int leftOut() const { return m_strip ? m_strip->leftOut() : 0; }
    void draw(Drawing& drawing, QPointF at) const;

private:
    struct Box {
        AttributionSource source;
        QString title;
        QString layers;
        double width = 0;
        double left = 0;
        ChipKind kind = ChipKind::Source;
    };

    /// The width of a box with these two lines.
    double boxWidth(const QString& title, const QString& line) const;
    double boxHeight() const;
    double boxTop() const { return m_hasArrow ? arrow().height() : 0; }
    double chipTop() const;
    /// The box that the arrow ends at; null: the target's.
    const Box* arrowEnd() const;
    /// Relative to the boxes' top edge.
    ArchedArrow arrow() const;
    QRectF placeOf(const Box& box) const;
    QRectF targetPlace() const;

    void chooseSources();
    void placeBoxes();
    void drawBox(Drawing& drawing, const QRectF& place, const QString& title, const QString& line,
                 QRgb outline) const;

    const AttributionFigure& m_figure;
    const Form& m_form;
    double m_width;
    QString m_targetLine;
    QString m_arrowText;
    double m_targetWidth = 0;
    double m_targetLeft = 0;
    std::vector<Box> m_boxes;  // in the order of the sources
    std::map<int, ChipKind> m_kinds;
    std::optional<TokenStrip> m_strip;
    bool m_hasArrow = false;
};

/// "80 %", "<1 %".
QString percentText(double share);

}  // namespace hs::figures
