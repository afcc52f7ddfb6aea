#include "grid/cell_readout.h"

#include "control/document/shown_heads.h"
#include "control/document/token_label.h"
#include "render/translate.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace hs::grid {
namespace {

constexpr int kMostNamedTokens = 4;

QString number(double value, int decimals)
{
    return QLocale().toString(value, 'f', decimals).replace(QLatin1Char('-'), QStringLiteral("−"));
}

bool isWithin(const control::SideRun& run, control::Axis axis, text::TokenSpan span)
{
    return span.first >= 0 && span.last < static_cast<int>(tokensOf(run, axis).size());
}

/// The texts of neighbouring tokens, the middle left out if there are many: "M|ary".
QString tokenText(const control::SideRun& run, control::Axis axis, text::TokenSpan span)
{
    QStringList texts;
    for (int position = span.first; isWithin(run, axis, span) && position <= span.last; ++position) {
        const int left = span.last - position;
        if (texts.size() < kMostNamedTokens - 1 || left == 0)
            texts << control::tokenLabel(tokensOf(run, axis)[static_cast<std::size_t>(position)].text);
        else if (texts.size() == kMostNamedTokens - 1)
            texts << QStringLiteral("…");
    }
    return texts.join(QLatin1Char('|'));
}

/// Into a layer's maps. [head, query, key]
std::size_t indexIn(const control::SideRun& run, HeadId head, int query, int key)
{
    const stats::PatternShape pattern = run.after.pattern();
    return static_cast<std::size_t>(head.head) * pattern.mapSize() + pattern.indexOf(query, key);
}

/// "0.961", or "≈ 0.96" while the layer's maps are on their way: the largest weight of the cells or, where several
/// tokens are meant, their sum over the keys and mean over the queries. Empty if the keys come after the queries.
QString weightText(control::Explorer& explorer, Side side, HeadId head, text::TokenSpan queries,
                   text::TokenSpan keys)
{
    const control::SideRun& run = *explorer.state(side).run;
    const engine::LayerMap weights = explorer.map({side, head.layer, engine::MapKind::Weights, false});
    const stats::PatternShape pattern = run.after.pattern();
    if (!pattern.contains(queries.last, keys.first) || (!weights && !run.tiles))
        return {};
    const bool isSum = control::hasSelection(explorer.document());
    double largest = 0;
    double sum = 0;
    for (int query = queries.first; query <= queries.last; ++query)
        for (int key = keys.first; key <= keys.last && pattern.contains(query, key); ++key) {
            const double weight = weights ? static_cast<double>(weights[indexIn(run, head, query, key)])
                                          : run.after.tileWeight(head, query, key);
            largest = std::max(largest, weight);
            sum += weight / (queries.last - queries.first + 1);
        }
    const double shown = isSum ? sum : largest;
    return weights ? number(shown, 3) : tr("≈ %1").arg(number(shown, 2));
}

/// What tiles show instead of weights; empty if that is said anyway, or not known yet.
QString shownText(control::Explorer& explorer, Side side, HeadId head, int query, int key)
{
    const control::TileValue value = explorer.document().tiles;
    if (value == control::TileValue::ValueWeighted) {
        const auto map = explorer.map({side, head.layer, engine::MapKind::ValueWeighted, false});
        return map ? tr("weight × value %1")
                         .arg(number(map[indexIn(*explorer.state(side).run, head, query, key)], 3))
                   : QString();
    }
    if (control::mapKindOf(value))
        return {};
    const control::RunPair pair = explorer.compared(side, value);
    if (!pair.problem.isEmpty())
        return {};
    const std::optional<double> change = changeAt(pair, head, query, key);
    return change ? tr("difference ≈ %1")
                        .arg((*change > 0 ? QStringLiteral("+") : QString()) + number(*change, 2))
                  : tr("not in the other text");
}

bool isOneToken(text::TokenSpan span)
{
    return span.first == span.last;
}

/// "key 2 “Mary”", "keys 2–3 “M|ary”".
QString spanText(const control::SideRun& run, control::Axis axis, text::TokenSpan span)
{
    const bool isQuery = axis == control::Axis::Query;
    const QString text = tokenText(run, axis, span);
    if (isOneToken(span))
        return (isQuery ? tr("query %1 “%2”") : tr("key %1 “%2”")).arg(span.first).arg(text);
    return (isQuery ? tr("queries %1–%2 “%3”") : tr("keys %1–%2 “%3”"))
        .arg(span.first)
        .arg(span.last)
        .arg(text);
}

/// What a head does with the pinned tokens, if there are several of them: "pinned keys 2–4 “…” together 0.832". Of keys
/// without a pinned query, for the query pointed at, and the other way round.
QString selectionText(control::Explorer& explorer, const control::SideRun& run)
{
    const control::Hover& hover = explorer.hover();
    const control::CellSpan pinned = explorer.pinned(hover.side);
    const control::CellSpan pointed = explorer.hovered(hover.side);
    const auto queries = pinned.query ? pinned.query : pointed.query;
    const auto keys = pinned.key ? pinned.key : pointed.key;
    const bool hasSeveral =
        (pinned.query && !isOneToken(*pinned.query)) || (pinned.key && !isOneToken(*pinned.key));
    if (!control::hasSelection(explorer.document()) || !hasSeveral || !queries || !keys ||
        !isWithin(run, control::Axis::Query, *queries) || !isWithin(run, control::Axis::Key, *keys))
        return {};
    const QString weight = weightText(explorer, hover.side, *hover.head, *queries, *keys);
    if (weight.isEmpty())
        return {};
    const QString cell = QStringLiteral("%1 → %2").arg(spanText(run, control::Axis::Query, *queries),
                                                       spanText(run, control::Axis::Key, *keys));
    return tr("pinned %1 together %2").arg(cell, weight);
}

QStringList valuesOf(control::Explorer& explorer, Side side, HeadId head, int query, int key)
{
    const control::SideRun& run = *explorer.state(side).run;
    const engine::LayerMap scores = explorer.map({side, head.layer, engine::MapKind::Scores, false});
    QStringList parts;
    if (const QString weight = weightText(explorer, side, head, query, key); !weight.isEmpty())
        parts << tr("weight %1").arg(weight);
    if (const QString shown = shownText(explorer, side, head, query, key); !shown.isEmpty())
        parts << shown;
    const float score = scores ? scores[indexIn(run, head, query, key)] : NAN;
    if (std::isfinite(score)) {
        parts << tr("score %1").arg(number(static_cast<double>(score), 2));
        if (const auto& gate = run.request.gate)
            parts << (static_cast<double>(score) + gate->bias > 0 ? tr("gate open") : tr("gate closed"));
    }
    return parts;
}

/// "“to” → “Mary”", or one of them.
QString cellText(const control::SideRun& run, const control::CellSpan& cell)
{
    QStringList texts;
    for (const auto& [axis, span] :
         {std::pair(control::Axis::Query, cell.query), std::pair(control::Axis::Key, cell.key)})
        if (span)
            texts << tr("“%1”").arg(tokenText(run, axis, *span));
    return texts.join(QStringLiteral(" → "));
}

/// What the other side has in the same place: "in Qwen2.5-0.5B L14H3 by relative depth, the same characters
/// “to” → “M|ary”: 0.580 at most". Empty if it is not shown, or if there is nothing more to say about it.
QString elsewhere(control::Explorer& explorer)
{
    const control::Hover& hover = explorer.hover();
    const Side other = otherSide(hover.side);
    const control::SideState& state = explorer.state(other);
    const control::CellSpan cell = explorer.hovered(other);
    const auto isThere = [&](control::Axis axis, const auto& span, bool isWanted) {
        return isWanted == span.has_value() && (!span || isWithin(*state.run, axis, *span));
    };
    if (!state.run || !state.model || !control::isShown(explorer.document().arrangement, other) ||
        !isThere(control::Axis::Query, cell.query, hover.query.has_value()) ||
        !isThere(control::Axis::Key, cell.key, hover.key.has_value()))
        return {};

    const QString texts = cellText(*state.run, cell);
    const bool isSame = texts == cellText(*explorer.state(hover.side).run, explorer.hovered(hover.side));
    const auto head = hover.head && cell.query && cell.key
                          ? explorer.counterpart(hover.side, *hover.head, other)
                          : std::nullopt;
    const QString weight = head && state.run->after.heads.contains(*head)
                               ? weightText(explorer, other, *head, *cell.query, *cell.key)
                               : QString();
    if (weight.isEmpty() && isSame)
        return {};
    QString text = tr("in %1").arg(QString::fromStdString(state.model->title));
    if (!weight.isEmpty() && !explorer.hasSameHeads())
        text = tr("%1 %2 by relative depth").arg(text, QString::fromStdString(toString(*head)));
    if (!isSame)
        text = (explorer.hasTwoTexts() ? tr("%1, in its place %2") : tr("%1, the same characters %2"))
                   .arg(text, texts);
    const bool isOneCell = head && cell.query == text::TokenSpan(cell.query->first) &&
                           cell.key == text::TokenSpan(cell.key->first);
    return weight.isEmpty()                             ? text
           : isOneCell                                  ? tr("%1: %2").arg(text, weight)
           : control::hasSelection(explorer.document()) ? tr("%1: %2 together").arg(text, weight)
                                                        : tr("%1: %2 at most").arg(text, weight);
}

QStringList hereOf(control::Explorer& explorer, const control::SideRun& run)
{
    const control::Hover& hover = explorer.hover();
    const control::CellSpan cell = explorer.hovered(hover.side);
    if (!cell.query)
        return {spanText(run, control::Axis::Key, *cell.key)};
    if (!cell.key)
        return {spanText(run, control::Axis::Query, *cell.query)};
    QStringList parts = {QStringLiteral("%1 → %2").arg(spanText(run, control::Axis::Query, *cell.query),
                                                       spanText(run, control::Axis::Key, *cell.key))};
    const bool isInside = hover.head && run.after.heads.contains(*hover.head) &&
                          isWithin(run, control::Axis::Query, *cell.query) &&
                          isWithin(run, control::Axis::Key, *cell.key);
    if (!isInside)
        return parts;
    parts << QString::fromStdString(toString(*hover.head));
    if (!run.after.pattern().contains(cell.query->last, cell.key->first))
        parts << tr("the key comes after the query");
    else if (isOneToken(*cell.query) && isOneToken(*cell.key))
        parts << valuesOf(explorer, hover.side, *hover.head, *hover.query, *hover.key);
    else
        parts << tr("together %1").arg(weightText(explorer, hover.side, *hover.head, *cell.query, *cell.key));
    if (const QString selection = selectionText(explorer, run); !selection.isEmpty())
        parts << selection;
    return parts;
}

}  // namespace

QString describeHover(control::Explorer& explorer)
{
    const control::Hover& hover = explorer.hover();
    const auto& run = explorer.state(hover.side).run;
    if (!run || (!hover.query && !hover.key))
        return {};
    // Asked first: of the maps that are wanted the latest are read first.
    const QString there = elsewhere(explorer);
    QStringList parts = hereOf(explorer, *run);
    if (!there.isEmpty())
        parts << there;
    return parts.join(QStringLiteral(" · "));
}

}  // namespace hs::grid
