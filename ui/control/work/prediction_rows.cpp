#include "control/work/prediction_rows.h"

#include "control/document/token_label.h"

#include <algorithm>
#include <map>

namespace hs::control {
namespace {

using Shares = std::map<std::string, double>;  // by the token's text

struct SideShares {
    Shares before;
    Shares after;
};

Shares sharesOf(const SideRun& run, const std::vector<engine::Prediction>& predictions)
{
    Shares shares;
    for (const engine::Prediction& prediction : predictions)
        shares.emplace(predictedText(run, prediction.token), prediction.probability);
    return shares;
}

/// What is known about a token: its share, or the smallest listed share as a bound.
figures::Probability find(const Shares& shares, const std::string& text)
{
    if (const auto found = shares.find(text); found != shares.end())
        return {found->second, false};
    double least = 1;
    for (const auto& [other, share] : shares)
        least = std::min(least, share);
    return {least, true};
}

double known(const figures::Probability& probability)
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

}  // namespace

std::string predictedText(const SideRun& run, std::int64_t id)
{
    if (run.request.model && run.request.model->tokenizer)
        return run.request.model->tokenizer->tokenText(id);
    const std::vector<text::Token>& tokens = run.textTokens();
    const auto found = std::ranges::find(tokens, id, &text::Token::id);
    return found != tokens.end() ? found->text : "#" + std::to_string(id);
}

std::vector<PredictionRow> predictionRows(const std::array<std::shared_ptr<const SideRun>, 2>& runs, int most)
{
    std::array<std::optional<SideShares>, 2> sides;
    std::map<std::string, PredictionRow> byText;
    for (const Side side : kSides) {
        const std::shared_ptr<const SideRun>& run = runs[indexOf(side)];
        if (!run || run->after.predictions.empty())
            continue;
        SideShares& shares = sides[indexOf(side)].emplace();
        shares.before = sharesOf(*run, run->before.predictions);
        shares.after = sharesOf(*run, run->after.predictions);
        for (const Shares* const part : {&shares.before, &shares.after})
            for (const auto& [text, share] : *part)
                byText.emplace(text, PredictionRow{text, tokenLabel(text), {}});
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

}  // namespace hs::control
