#include "grid/cell_readout.h"

#include "control/document/token_label.h"
#include "render/translate.h"

#include <QLocale>

#include <cmath>

namespace hs::grid {
namespace {

QString number(double value, int decimals)
{
    return QLocale().toString(value, 'f', decimals).replace(QLatin1Char('-'), QStringLiteral("−"));
}

QString tokenText(const control::SideRun& run, int position)
{
    const auto index = static_cast<std::size_t>(position);
    return position >= 0 && index < run.tokens.size() ? control::tokenLabel(run.tokens[index].text)
                                                      : QString();
}

/// The largest weight of the tokens that the cell's tile pools.
double tileWeight(const control::SideRun& run, HeadId head, int query, int key)
{
    const render::TilePyramid& tiles = *run.tiles;
    const auto cell = [&](int token) {
        return static_cast<std::size_t>((std::int64_t{token} + 1) * tiles.side() - 1) /
               static_cast<std::size_t>(tiles.tokens());
    };
    return tiles.tile(head, 0)[cell(query) * static_cast<std::size_t>(tiles.side()) + cell(key)] / 255.0;
}

QStringList valuesOf(control::Explorer& explorer, control::Side side, const control::SideRun& run,
                     HeadId head, int query, int key)
{
    const auto tokens = static_cast<std::size_t>(run.after.tokens.size());
    const std::size_t index =
        (static_cast<std::size_t>(head.head) * tokens + static_cast<std::size_t>(query)) * tokens +
        static_cast<std::size_t>(key);
    const engine::LayerMap weights = explorer.map({side, head.layer, engine::MapKind::Weights, false});
    const engine::LayerMap scores = explorer.map({side, head.layer, engine::MapKind::Scores, false});
    QStringList parts;
    if (weights)
        parts << tr("weight %1").arg(number(static_cast<double>(weights[index]), 3));
    else if (run.tiles)
        parts << tr("weight ≈ %1").arg(number(tileWeight(run, head, query, key), 2));
    if (scores && std::isfinite(scores[index])) {
        parts << tr("score %1").arg(number(static_cast<double>(scores[index]), 2));
        if (const auto& gate = run.request.gate)
            parts << (static_cast<double>(scores[index]) + gate->bias > 0 ? tr("gate open")
                                                                          : tr("gate closed"));
    }
    return parts;
}

}  // namespace

QString describeHover(control::Explorer& explorer)
{
    const control::Hover& hover = explorer.hover();
    const control::Side side = hover.side.value_or(explorer.activeSide());
    const auto& run = explorer.state(side).run;
    if (!run || (!hover.query && !hover.key))
        return {};
    const auto token = [&](const char* text, int position) {
        return tr(text).arg(position).arg(tokenText(*run, position));
    };
    if (!hover.query)
        return token("key %1 “%2”", *hover.key);
    if (!hover.key)
        return token("query %1 “%2”", *hover.query);
    QStringList parts = {QStringLiteral("%1 → %2").arg(token("query %1 “%2”", *hover.query),
                                                       token("key %1 “%2”", *hover.key))};
    const int tokens = static_cast<int>(run->after.tokens.size());
    const bool isInside = hover.head && run->after.heads.contains(*hover.head) && *hover.query >= 0 &&
                          *hover.query < tokens && *hover.key >= 0 && *hover.key < tokens;
    if (!isInside)
        return parts.front();
    parts << QString::fromStdString(toString(*hover.head));
    if (*hover.key > *hover.query)
        parts << tr("the key comes after the query");
    else
        parts << valuesOf(explorer, side, *run, *hover.head, *hover.query, *hover.key);
    return parts.join(QStringLiteral(" · "));
}

}  // namespace hs::grid
