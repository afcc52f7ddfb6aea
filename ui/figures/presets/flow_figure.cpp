#include "figures/presets/flow_figure.h"

#include "figures/parts/sheet.h"
#include "figures/presets/flow_panel.h"

#include <algorithm>

namespace hs::figures {
namespace {

constexpr double kFlowsBesideFrom = 45;  // in text sizes: the least width for panels side by side

}  // namespace

Drawing draw(const FlowFigure& figure, const Form& form)
{
    Form shared = form;
    shared.isPerHead = false;  // a line has no single head's peak to be compared with
    Sheet sheet(shared);
    const auto count = static_cast<double>(figure.panels.size());
    const bool isBeside = count > 1 && sheet.width() >= kFlowsBesideFrom * form.fontSize;
    const double width = isBeside ? (sheet.width() - (count - 1) * sheet.gap()) / count : sheet.width();
    int layers = 1;
    for (const FlowPanel& panel : figure.panels)
        layers = std::max(layers, panel.layers);
    QPointF at = sheet.origin();
    for (const FlowPanel& panel : figure.panels) {
        const FlowPanelLayout layout(panel, figure, shared, width, layers);
        layout.draw(sheet.drawing(), at);
        if (isBeside)
            at.rx() += width + sheet.gap();
        else
            at.ry() += layout.height() + sheet.gap();
    }
    return sheet.finish(figure.caption, true);
}

DataTable table(const FlowFigure& figure)
{
    DataTable result{
        {{"panel", {}}, {"layer", {}}, {"head", {}}, {"query", {}}, {"key", {}}, {"weight", {}}}};
    for (std::size_t panel = 0; panel < figure.panels.size(); ++panel)
        for (const stats::FlowEdge& edge : figure.panels[panel].edges) {
            std::size_t column = 0;
            for (const double value : {static_cast<double>(panel), static_cast<double>(edge.head.layer),
                                       static_cast<double>(edge.head.head), static_cast<double>(edge.query),
                                       static_cast<double>(edge.key), static_cast<double>(edge.weight)})
                result.columns[column++].values.push_back(value);
        }
    return result;
}

}  // namespace hs::figures
