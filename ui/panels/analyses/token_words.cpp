#include "panels/analyses/token_words.h"

#include "control/document/token_label.h"
#include "panels/widgets/panel_style.h"
#include "render/translate.h"

#include <algorithm>

namespace hs::panels {

QString factorWords(int left, int right, const QString& units)
{
    if (left <= 0 || right <= 0)
        return {};
    if (left == right)
        return tr("as many %1").arg(units);
    const QString factor =
        formatNumber(static_cast<double>(std::max(left, right)) / std::min(left, right), 1);
    return (right < left ? tr("%1× fewer %2") : tr("%1× more %2")).arg(factor, units);
}

QStringList textLabels(const control::Explorer& explorer, Side side)
{
    QStringList labels;
    if (const auto& run = explorer.state(side).run)
        for (const text::Token& token : run->textTokens())
            labels << control::tokenLabel(token.text);
    return labels;
}

AxisLabels tokenLabels(const control::Explorer& explorer, Side side)
{
    AxisLabels labels;
    if (const auto& run = explorer.state(side).run) {
        for (const text::Token& token : run->tokens)
            labels.queries << control::tokenLabel(token.text);
        for (const text::Token& token : run->tokensOfKeys())
            labels.keys << control::tokenLabel(token.text);
    }
    return labels;
}

QString tokenWords(const QStringList& tokens, int position)
{
    const QString label = tokens.value(position);
    return label.isEmpty() ? QString::number(position) : QStringLiteral("%1 %2").arg(label).arg(position);
}

QString cellWords(const AxisLabels& tokens, CellId cell)
{
    return QStringLiteral("%1 → %2").arg(tokenWords(tokens.keys, cell.key),
                                         tokenWords(tokens.queries, cell.query));
}

void pinCell(control::Explorer& explorer, Side side, CellId cell)
{
    explorer.edit(tr("Pin cell"), [&](control::Document& document) {
        document.query = explorer.asPin(side, control::Axis::Query, cell.query);
        document.key = explorer.asPin(side, control::Axis::Key, cell.key);
    });
}

void pinTokens(control::Explorer& explorer, Side side, CellId tokens)
{
    pinCell(explorer, side, {explorer.placeOf(side, tokens.query), explorer.placeOf(side, tokens.key)});
}

void pickHeads(control::Explorer& explorer, Side side, const std::vector<HeadId>& heads,
               Qt::KeyboardModifiers modifiers)
{
    const bool isAdded = modifiers.testFlag(Qt::ControlModifier) || modifiers.testFlag(Qt::ShiftModifier);
    std::set<HeadId> selection = isAdded ? explorer.selection() : std::set<HeadId>();
    selection.insert(heads.begin(), heads.end());
    if (!heads.empty())
        explorer.setCurrent(side, heads.front());
    explorer.select(std::move(selection));
}

}  // namespace hs::panels
