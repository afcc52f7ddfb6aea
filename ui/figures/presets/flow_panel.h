#pragma once

#include "figures/presets/flow_figure.h"

#include <QList>

namespace hs::figures {

/// One model's flow: the residual stream as a faint line a token, edges between the layers they
/// pass, layers and tokens named at the left and below.
class FlowPanelLayout {
public:
    /// The most lines that are drawn; weaker edges are left out, and a note says so.
    static constexpr std::size_t kMostEdges = 2500;
    static constexpr QRgb kStream = 0xffe6e9ee;

    /// `layers` of the panel that has most, so that a layer is as high in every panel.
    FlowPanelLayout(const FlowPanel& panel, const FlowFigure& figure, const FigureForm& form, double width,
                    int layers);

    double height() const;
    void draw(Drawing& drawing, QPointF at) const;

private:
    /// Where a token passes a level: 0 below the first layer. From the plot's bottom left corner.
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
    const FigureForm& m_form;
    double m_width;
    int m_layers;
    double m_left = 0;  // of the plot
    double m_top = 0;
    double m_step = 0;  // from token to token
    double m_band = 0;  // height of a layer
    double m_labelHeight = 0;
};

}  // namespace hs::figures
