#include "service/set_view.h"

#include "service/engine_request.h"
#include "service/maps_backend.h"
#include "stats/metric_table.h"

#include <algorithm>
#include <cmath>

namespace hs::service {
namespace {

/// What stands at the places that all prompts share; where they have different tokens, the place's number, which is
/// counted back from the end if the prompts end together.
std::vector<text::Token> placesOf(const analyses::SetMaps& maps)
{
    std::vector<std::string> texts;
    for (int position = 0; position < maps.side(); ++position) {
        const int number = maps.align() == analyses::SetAlign::End ? position - maps.side() : position;
        const std::string& text = maps.placeAt(position).text;
        texts.push_back(text.empty() ? "[" + std::to_string(number) + "]" : text);
    }
    std::vector<text::Token> tokens = tokensOf(texts);
    for (int position = 0; position < maps.side(); ++position)
        if (const std::int64_t token = maps.placeAt(position).token;
            token != analyses::SetMaps::Place::kMixed)
            tokens[static_cast<std::size_t>(position)].id = token;
    return tokens;
}

/// One number of each metric's estimate in every head. [layer * head]
std::vector<stats::HeadStats> statsOf(const analyses::SetResult& set, double stats::Estimate::* number)
{
    const HeadShape& shape = set.maps->heads();
    std::vector<stats::HeadStats> all(static_cast<std::size_t>(shape.total()), stats::noStats());
    const analyses::SetGroup& heads = *set.group("heads");
    std::size_t row = 0;
    for (const HeadId head : shape.all()) {
        stats::HeadStats& own = all[static_cast<std::size_t>(shape.indexOf(head))];
        std::size_t column = 0;
        for (const stats::Metric& metric : stats::allMetrics())
            metric.put(own, heads.at(row, column++).estimate().*number);
        ++row;
    }
    return all;
}

std::vector<engine::LayerTiles> tilesOf(const analyses::SetMaps& maps, analyses::SetAverage average,
                                        const stats::SummaryRules& rules)
{
    std::vector<engine::LayerTiles> tiles;
    const auto side = static_cast<std::size_t>(maps.side());
    for (int layer = 0; layer < maps.heads().layers; ++layer) {
        const std::vector<float> weights = maps.layer(layer, average);  // [head, query, key]
        const auto heads = static_cast<std::size_t>(maps.heads().heads);
        const std::shared_ptr<std::uint8_t[]> made(new std::uint8_t[heads * rules.tileCells()]());
        for (std::size_t head = 0; head < static_cast<std::size_t>(maps.heads().headsOf(layer)); ++head) {
            stats::HeadSummarizer summarizer(rules, made.get() + head * rules.tileCells());
            for (std::size_t query = 0; query < side; ++query)
                summarizer.addRow(static_cast<int>(query), weights.data() + (head * side + query) * side);
        }
        tiles.push_back(made);
    }
    return tiles;
}

}  // namespace

SideResult sideResultOf(const SideRequest& request, const analyses::SetResult& set)
{
    const analyses::SetMaps& maps = *set.maps;
    if (set.rows.empty())
        fail(ErrorCode::BadRequest,
             set.leftOut.empty() ? "The set has no prompts; open another one." : set.leftOut.front().problem);
    SideResult result;
    result.request = request;
    result.tokens = placesOf(maps);
    engine::RunResult& after = result.after;
    after.heads = maps.heads();
    for (const text::Token& token : result.tokens)
        after.tokens.push_back(token.id);
    const stats::RepeatedTokens repeats(after.tokens);
    const stats::SummaryRules rules{repeats,
                                    {maps.side(), maps.side(), true},
                                    tileSideFor(after.heads, maps.side(), request.tileBytes),
                                    engine::Capture().threshold};
    after.tileRows = rules.tileRows();
    after.tileColumns = rules.tileColumns();
    after.tiles = tilesOf(maps, request.view->average, rules);
    after.stats = statsOf(set, &stats::Estimate::mean);
    const analyses::SetGroup& overall = *set.group("overall");
    if (overall.at(0, 0).count() > 0)
        after.loss = overall.at(0, 0).estimate().mean;
    after.density = overall.at(0, 1).estimate().mean;
    after.position = result.position = maps.side() - 1;
    result.before = after;
    result.kinds = kindsOf(after);
    result.set = std::make_shared<const SetSummary>(
        SetSummary{static_cast<int>(set.rows.size()), set.promptCount, set.leftOut,
                   statsOf(set, &stats::Estimate::low), statsOf(set, &stats::Estimate::high)});
    return result;
}

engine::LayerMap layerOf(const SideRequest& request, const MapQuery& query, const analyses::SetResult& set)
{
    if (const std::string problem = whyNotOfSet(request, query.kind); !problem.empty())
        fail(ErrorCode::BadRequest, problem);
    const std::vector<float> weights = set.maps->layer(query.layer, request.view->average);
    const std::shared_ptr<float[]> map(new float[weights.size()]);
    std::ranges::copy(weights, map.get());
    return map;
}

std::vector<float> cellsOf(const SideRequest& request, int query, int key, const analyses::SetResult& set)
{
    const analyses::SetMaps& maps = *set.maps;
    if (query < 0 || key < 0 || query >= maps.side() || key >= maps.side())
        fail(ErrorCode::BadRequest, "The averages have no such cell; point at one of theirs.");
    std::vector<float> weights(static_cast<std::size_t>(maps.heads().total()), 0);
    for (const HeadId head : maps.heads().all())
        weights[static_cast<std::size_t>(maps.heads().indexOf(head))] =
            maps.at(head, query, key, request.view->average);
    return weights;
}

std::string whyNotOfSet(const SideRequest& request, engine::MapKind kind)
{
    return request.view && kind != engine::MapKind::Weights
               ? "Only weights are averaged over a set; look at one prompt to see others."
               : "";
}

}  // namespace hs::service
