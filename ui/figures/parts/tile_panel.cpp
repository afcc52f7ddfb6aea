#include "figures/parts/tile_panel.h"

#include "render/pattern_words.h"
#include "render/translate.h"

namespace hs::figures {

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
    DataTable result{
        {{"panel", {}}, {"layer", {}}, {"head", {}}, {"query", {}}, {"key", {}}, {"weight", {}}}};
    const auto append = [&](std::initializer_list<double> row) {
        std::size_t column = 0;
        for (const double value : row)
            result.columns[column++].values.push_back(value);
    };
    for (std::size_t panel = 0; panel < panels.size(); ++panel) {
        const engine::RunResult& run = panels[panel].result;
        const stats::PatternShape tile(run.tileRows, run.tileColumns, run.isCausal);
        for (const HeadId head : panels[panel].heads)
            for (int query = 0; query < tile.queries; ++query)
                for (int key = 0; key < tile.keysOf(query); ++key)
                    append({static_cast<double>(panel), static_cast<double>(head.layer),
                            static_cast<double>(head.head), static_cast<double>(query),
                            static_cast<double>(key), run.tileOf(head)[tile.indexOf(query, key)] / 255.0});
    }
    return result;
}

}  // namespace hs::figures
