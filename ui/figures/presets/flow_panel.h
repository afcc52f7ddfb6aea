#pragma once

#include "figures/presets/flow_figure.h"

#include <QList>

namespace hs::figures {

/// One model's flow: the residual stream as a faint line per token, edges between the layers they
/// cross, layers named on the left and tokens below.
class FlowPanelLayout {
public:
    /// The most lines drawn; weaker edges are left out, and a note says so.
    static constexpr std::size_t kMostEdges = 2500;
    static constexpr QRgb kStream = 0xffe6e9ee;

    /// `layers` is the largest number in any panel, so that layers are equally high in all of them.
    FlowPanelLayout(const FlowPanel& panel, const FlowFigure& figure, const Form& form, double width,
                    int layers);

    double height() const;
    void draw(Drawing& drawing, QPointF at) const;

private:
    /// Where a token's line crosses a level; 0 is below the first layer. From the plot's bottom left corner.
    QPointF pass(int token, double level) const;
    QString countLine() const;
    double textLength(int token) const;
    bool isUpright() const { return m_labelHeight > m_form.smallSize() * 1.5; }

    void drawStreams(Drawing& drawing, QPointF corner) const;
    void drawEdges(Drawing& drawing, QPointF corner) const;
    void drawTokens(Drawing& drawing, QPointF corner) const;
    void drawLayers(Drawing& drawing, QPointF corner) const;

    const FlowPanel& m_panel;
    const FlowFigure& m_figure;
    const Form& m_form;
    double m_width;
    int m_layers;
    double m_left = 0;  // of the plot
    double m_top = 0;
    double m_step = 0;  // from token to token
    double m_band = 0;  // height of a layer
    double m_labelHeight = 0;
};

}  // namespace hs::figures
