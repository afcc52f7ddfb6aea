#include "app/report/moved_heads.h"

#include "analyses/map_analyses.h"
#include "app/support/messages.h"
#include "base/failure.h"

#include <algorithm>
#include <map>

namespace hs::app {
namespace {

constexpr int kMostPassages = 4;  // patterns differ far less from text to text than losses do

}  // namespace

train::MovedHeads measureMoved(ReportModels& models, const train::MeasuredText& text,
                               const train::PairReport& report)
{
    train::MovedHeads moved;
    if (!report.models[0].heads.hasSameHeads(report.models[1].heads))
        return moved;
    const train::TextReport& judged = *report.judged().front();
    const std::optional<std::int64_t> first = judged.firstToken.empty() ? std::nullopt : models.firstToken();
    const train::Batch passages = train::passagesOf(text, judged.length, kMostPassages, first).batch;
    std::map<HeadId, double> sums;
    ProgressLine progress("Passage");
    const Hooks hooks{progress.callback(), interruptToken()};
    for (int row = 0; row < passages.rows; ++row) {
        hooks.report(row, passages.rows);
        const auto begin = passages.tokens.begin() + std::ptrdiff_t{row} * passages.length;
        std::array<engine::RunRequest, 2> requests;
        for (std::size_t model = 0; model < 2; ++model) {
            requests[model].model = models[model].workspace.model;
            requests[model].gate = models[model].gate;
            requests[model].tokens = {begin, begin + passages.lengths[static_cast<std::size_t>(row)]};
        }
        const analyses::Comparison comparison = orThrow(analyses::compareRuns(
            models[0].engine, requests[0], models[1].engine, requests[1], {}, {{}, hooks.stop}));
        for (const analyses::HeadPair& pair : comparison.pairs)
            sums[pair.head] += pair.distance.totalVariation;
    }
    moved.passages = passages.rows;
    moved.length = passages.length;
    for (const auto& [head, sum] : sums)
        moved.heads.push_back({head, sum / passages.rows});
    std::ranges::stable_sort(moved.heads, std::ranges::greater(), &train::MovedHead::distance);
    return moved;
}

}  // namespace hs::app
