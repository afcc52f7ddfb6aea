#include "figures/parts/tile_panel.h"

#include "analyses/written_units.h"
#include "render/pattern_words.h"
#include "render/translate.h"

#include <algorithm>
#include <limits>

namespace hs::figures {

double shareOfMlp(const TilePanel& panel, int layer)
{
    const auto found = panel.mlps.find(layer);
    return found == panel.mlps.end() || panel.mostWritten == 0 ? 0 : found->second / panel.mostWritten;
}

QString describeRun(const TilePanel& panel)
{
    const engine::RunResult& result = panel.result;
    QStringList parts = {tr("%1 of %2 heads").arg(panel.heads.size()).arg(result.heads.all().size())};
    if (panel.isGiven)
        parts << render::patternWords(result.pattern());
    else
        parts << tr("active edges %1 %").arg(QString::number(100 * result.density, 'g', 3));
    if (result.loss)
        parts << tr("loss %1").arg(*result.loss, 0, 'f', 2);
    if (panel.ablated.size() > panel.patched.size())
        parts << tr("%1 ablated").arg(panel.ablated.size() - panel.patched.size());
    if (!panel.patched.empty())
        parts << tr("%1 patched").arg(panel.patched.size());
    if (!panel.edited.empty())
        parts << tr("%1 with cells changed").arg(panel.edited.size());
    return parts.join(QStringLiteral(" · "));
}

DataTable table(const std::vector<TilePanel>& panels)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    DataTable result{
        {{"panel", {}}, {"layer", {}}, {"head", {}}, {"query", {}}, {"key", {}}, {"weight", {}}}};
    const bool hasMlps =
        std::ranges::any_of(panels, [](const TilePanel& panel) { return !panel.mlps.empty(); });
    if (hasMlps)
        result.columns.push_back({std::string(analyses::kLogitMetric), {}});
    const auto append = [&](std::initializer_list<double> row) {
        std::size_t column = 0;
        for (const double value : row)
            if (column < result.columns.size())
                result.columns[column++].values.push_back(value);
    };
    for (std::size_t index = 0; index < panels.size(); ++index) {
        const TilePanel& panel = panels[index];
        const auto number = static_cast<double>(index);
        const stats::PatternShape tile(panel.result.tileRows, panel.result.tileColumns,
                                       panel.result.isCausal);
        for (const HeadId head : panel.heads)
            for (int query = 0; query < tile.queries; ++query)
                for (int key = 0; key < tile.keysOf(query); ++key)
                    append({number, static_cast<double>(head.layer), static_cast<double>(head.head),
                            static_cast<double>(query), static_cast<double>(key),
                            panel.result.tileOf(head)[tile.indexOf(query, key)] / 255.0, kNone});
        for (const auto& [layer, logit] : panel.mlps)
            append({number, static_cast<double>(layer), kNone, kNone, kNone, kNone, logit});
    }
    return result;
}

}  // namespace hs::figures
