#include "panels/prompt/prediction_rows.h"

#include "control/document/token_label.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/shown_tokens.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hs::panels {
namespace {

using Shares = std::map<std::string, double>;  // by the token's text

struct SideShares {
    Shares before;
    Shares after;
};

Shares sharesOf(const control::SideState& state, const std::vector<engine::Prediction>& predictions)
{
    Shares shares;
    for (const engine::Prediction& prediction : predictions)
        shares.emplace(predictedText(state, prediction.token), prediction.probability);
    return shares;
}

/// What is known about a token: its share, or the smallest listed share as a bound.
Probability find(const Shares& shares, const std::string& text)
{
    if (const auto found = shares.find(text); found != shares.end())
        return {found->second, false};
    double least = 1;
    for (const auto& [other, share] : shares)
        least = std::min(least, share);
    return {least, true};
}

double known(const Probability& probability)
{
    return probability.isBound ? 0 : probability.value;
}

double largest(const PredictionRow& row)
{
    double share = 0;
    for (const auto& side : row.sides)
        if (side)
            share = std::max({share, known(side->before), known(side->after)});
    return share;
}

std::array<double, 4> rank(const PredictionRow& row)
{
    std::array<double, 4> rank{};
    for (const Side side : kSides)
        if (const auto& change = row.sides[indexOf(side)]) {
            rank[2 * indexOf(side)] = known(change->after);
            rank[2 * indexOf(side) + 1] = known(change->before);
        }
    return rank;
}

/// In per cent; a bound instead of 0.
QString number(const Probability& probability, int decimals)
{
    const double unit = std::pow(10, -decimals);
    const double percent = 100 * probability.value;
    if (probability.isBound || percent < unit / 2)
        return QLatin1Char('<') + formatNumber(std::max(unit, std::ceil(percent / unit) * unit), decimals);
    return formatNumber(percent, decimals);
}

}  // namespace

std::vector<PredictionRow> predictionRows(const control::Explorer& explorer, int most)
{
    std::array<std::optional<SideShares>, 2> sides;
    std::map<std::string, PredictionRow> byText;
    for (const Side side : kSides) {
        const control::SideState& state = explorer.state(side);
        if (!state.run || !explorer.whyNoRun(side).isEmpty())
            continue;
        SideShares& shares = sides[indexOf(side)].emplace();
        shares.before = sharesOf(state, state.run->before.predictions);
        shares.after = sharesOf(state, state.run->after.predictions);
        for (const Shares* const part : {&shares.before, &shares.after})
            for (const auto& [text, share] : *part)
                byText.emplace(text, PredictionRow{text, control::tokenLabel(text), {}});
    }
    std::vector<PredictionRow> rows;
    for (auto& [text, row] : byText) {
        for (const Side side : kSides)
            if (const auto& shares = sides[indexOf(side)])
                row.sides[indexOf(side)] = {find(shares->before, text), find(shares->after, text)};
        rows.push_back(std::move(row));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const PredictionRow& a, const PredictionRow& b) { return largest(a) > largest(b); });
    if (static_cast<int>(rows.size()) > most)
        rows.resize(static_cast<std::size_t>(most));
    std::stable_sort(rows.begin(), rows.end(),
                     [](const PredictionRow& a, const PredictionRow& b) { return rank(a) > rank(b); });
    return rows;
}

bool hasAblations(const control::SideState& state)
{
    return state.run && !state.run->request.ablations.empty();
}

QString describeChange(const ProbabilityChange& change, bool hasBefore, int decimals)
{
    const QString after = number(change.after, decimals);
    return hasBefore ? QStringLiteral("%1 → %2 %").arg(number(change.before, decimals), after)
                     : QStringLiteral("%1 %").arg(after);
}

}  // namespace hs::panels
