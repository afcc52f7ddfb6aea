#pragma once

#include "figures/parts/graph_layout.h"
#include "figures/presets/graph_figure.h"

namespace hs::figures {

/// One model's graph: edges as wide as they are strong, in a colour for each sign; features as discs, errors as
/// diamonds; features and supernodes with names as boxes, as far as there is room; supernodes without as ringed
/// discs; logits with their names above, tokens below.
class GraphPanelLayout {
public:
    /// The most edges drawn; weaker ones are left out, and a note says so.
    static constexpr std::size_t kMostEdges = 400;
    static constexpr QRgb kAdds = render::FigureStyle::kAccent;
    static constexpr QRgb kTakes = render::FigureStyle::kMark;

    /// `layers` is the largest number in any panel, so that layers are equally high in all of them.
    GraphPanelLayout(const GraphPanel& panel, const GraphFigure& figure, const Form& form, double width,
                     int layers, bool areTokensUpright);

    /// Whether tokens have the room for their texts side by side.
    bool hasRoomForTokens() const { return m_hasRoomForTokens; }

    double height() const;
    void draw(Drawing& drawing, QPointF at) const;

private:
    NodeWishes wishes() const;
    double logitHeight() const;
    double tokenHeight() const;

    void drawLayers(Drawing& drawing, QPointF at) const;
    void drawEdges(Drawing& drawing, QPointF at) const;
    void drawNodes(Drawing& drawing, QPointF at) const;
    void drawNode(Drawing& drawing, QPointF at, std::size_t node) const;
    void drawBox(Drawing& drawing, QPointF centre, std::size_t node) const;
    void drawLogit(Drawing& drawing, QPointF centre, std::size_t node) const;
    void drawTokens(Drawing& drawing, QPointF at) const;

    const GraphPanel& m_panel;
    const GraphFigure& m_figure;
    const Form& m_form;
    double m_width;
    double m_top = 0;
    bool m_areLogitsUpright = false;
    bool m_areTokensUpright;
    bool m_hasRoomForTokens = false;
    std::vector<bool> m_isNamed;  // [node]
    GraphLayout m_layout;
};

}  // namespace hs::figures
