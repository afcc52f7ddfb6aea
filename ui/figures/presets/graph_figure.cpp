#include "figures/presets/graph_figure.h"

#include "figures/parts/sheet.h"
#include "figures/presets/graph_panel.h"

#include <algorithm>

namespace hs::figures {
namespace {

constexpr double kGraphsBesideFrom = 60;  // in text sizes: the least width for panels side by side

}  // namespace

Drawing draw(const GraphFigure& figure, const Form& form)
{
    Sheet sheet(form);
    const auto count = static_cast<double>(figure.panels.size());
    const bool isBeside = count > 1 && sheet.width() >= kGraphsBesideFrom * form.fontSize;
    const double width = isBeside ? (sheet.width() - (count - 1) * sheet.gap()) / count : sheet.width();
    int layers = 1;
    for (const GraphPanel& panel : figure.panels)
        layers = std::max(layers, panel.view.layers);
    const bool areTokensUpright = std::ranges::any_of(figure.panels, [&](const GraphPanel& panel) {
        return !GraphPanelLayout(panel, figure, form, width, layers, false).hasRoomForTokens();
    });
    QPointF at = sheet.origin();
    for (const GraphPanel& panel : figure.panels) {
        const GraphPanelLayout layout(panel, figure, form, width, layers, areTokensUpright);
        layout.draw(sheet.drawing(), at);
        if (isBeside)
            at.rx() += width + sheet.gap();
        else
            at.ry() += layout.height() + sheet.gap();
    }
    return sheet.finish(figure.caption, /*hasWeights=*/false);
}

DataTable table(const GraphFigure& figure)
{
    DataTable result;
    for (const char* const name : {"panel", "source_kind", "source_layer", "source_position", "target_kind",
                                   "target_layer", "target_position", "weight"})
        result.columns.push_back({name, {}});
    for (std::size_t panel = 0; panel < figure.panels.size(); ++panel) {
        const GraphView& view = figure.panels[panel].view;
        for (const ViewEdge& edge : view.edges) {
            const ViewNode& source = view.nodes[static_cast<std::size_t>(edge.source)];
            const ViewNode& target = view.nodes[static_cast<std::size_t>(edge.target)];
            std::size_t column = 0;
            for (const double value :
                 {static_cast<double>(panel), static_cast<double>(source.kind),
                  static_cast<double>(source.layers.first), static_cast<double>(source.position),
                  static_cast<double>(target.kind), static_cast<double>(target.layers.first),
                  static_cast<double>(target.position), edge.weight})
                result.columns[column++].values.push_back(value);
        }
    }
    return result;
}

}  // namespace hs::figures
