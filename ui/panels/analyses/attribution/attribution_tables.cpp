#include "panels/analyses/attribution/attribution_tables.h"

#include "panels/analyses/token_words.h"
#include "panels/widgets/panel_style.h"
#include "render/translate.h"
#include "stats/attribution_share.h"

#include <limits>
#include <map>

namespace hs::panels {
namespace {

constexpr int kEveryPoint = 256;  // units up to which every count is a point
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::vector<HeadBar> contributionBars(const engine::Attribution& attribution, int carrying,
                                      const QStringList& tokens)
{
    std::map<HeadId, const engine::AttributionEdge*> strongest;  // edges come largest first
    for (const engine::AttributionEdge& edge : attribution.edges)
        strongest.emplace(edge.head, &edge);
    std::vector<HeadBar> bars;
    for (const control::RankedHead& ranked : contributingHeads(attribution)) {
        HeadBar bar;
        bar.name = QString::fromStdString(toString(ranked.head));
        bar.heads = {ranked.head};
        bar.value = ranked.value;
        bar.isChosen = static_cast<int>(bars.size()) < carrying;
        if (const auto edge = strongest.find(ranked.head); edge != strongest.end())
            bar.detail = tr("most through %1: %2")
                             .arg(cellWords({tokens, tokens}, {attribution.position, edge->second->key}),
                                  formatNumber(edge->second->value, 2));
        bars.push_back(std::move(bar));
    }
    return bars;
}

figures::EffectCurve shareCurve(const QString& title, const MassCurve& mass)
{
    figures::EffectCurve curve;
    curve.title = title;
    if (mass.smallest == 0)
        return curve;
    curve.points.push_back({0, 0});
    for (const int count : stats::curveCounts(static_cast<int>(mass.mass.size()), kEveryPoint))
        curve.points.push_back({count, mass.mass[static_cast<std::size_t>(count - 1)]});
    curve.smallest = mass.smallest;
    return curve;
}

figures::DataTable attributionTable(const std::array<const engine::Attribution*, 2>& sides)
{
    figures::DataTable table{
        {{"side", {}}, {"layer", {}}, {"head", {}}, {"query", {}}, {"key", {}}, {"contribution", {}}}};
    const auto append = [&table](Side side, HeadId head, int query, double key, double value) {
        std::size_t column = 0;
        for (const double cell : {static_cast<double>(indexOf(side)), static_cast<double>(head.layer),
                                  static_cast<double>(head.head), static_cast<double>(query), key, value})
            table.columns[column++].values.push_back(cell);
    };
    for (const Side side : kSides)
        if (const engine::Attribution* const found = sides[indexOf(side)]) {
            for (const control::RankedHead& ranked : contributingHeads(*found))
                append(side, ranked.head, found->position, kNoValue, ranked.value);
            for (const engine::AttributionEdge& edge : found->edges)
                append(side, edge.head, found->position, edge.key, edge.value);
        }
    return table;
}

}  // namespace hs::panels
