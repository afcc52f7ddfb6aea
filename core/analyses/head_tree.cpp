#include "analyses/head_tree.h"

#include "analyses/head_json.h"
#include "analyses/set_result.h"
#include "stats/metric_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hs::analyses {
namespace {

constexpr std::size_t kTokensListed = 50;

/// The numbers of a tree's rows: HeadVis's own, then those that it does not have.
struct TreeMetric {
    const char* name;
    const char* meaning;
    double (*of)(const HeadPage&);
};

constexpr TreeMetric kTreeMetrics[] = {
    {"self_attention_score", "Mean weight of a token on itself.",
     [](const HeadPage& page) { return page.tally.scores().self; }},
    {"prev_token_score", "Mean weight of a token on the one before it.",
     [](const HeadPage& page) { return page.tally.scores().previous; }},
    {"pattern_entropy", "Mean entropy of a token's weights, in nats.",
     [](const HeadPage& page) { return page.tally.scores().entropy; }},
    {"qk_distance", "Mean distance between query and key, by weight.",
     [](const HeadPage& page) { return page.tally.scores().distance; }},
    {"qk_distance_variance", "Variance of that distance.",
     [](const HeadPage& page) { return page.tally.scores().distanceVariance; }},
    {"induction_score", "Mean weight of a token on what followed its earlier copies.",
     [](const HeadPage& page) { return page.tally.scores().induction; }},
    {"first_token_score", "Mean weight of a token on the first one.",
     [](const HeadPage& page) { return page.tally.shares().first; }},
    {"repeated_induction_score", "The induction score over random tokens that come twice.",
     [](const HeadPage& page) { return page.repeats ? page.repeats->induction : NAN; }},
    {"copying_score", "How far the head promotes the tokens that it reads, from -1 to 1, by its weights.",
     [](const HeadPage& page) { return page.copying; }},
    {"ablation_loss", "By how much the loss of a token grows without the head, in nats.",
     [](const HeadPage& page) { return page.tally.ablation().estimate().mean; }},
};

bool hasMetric(const HeadPages& pages, const TreeMetric& metric)
{
    return std::ranges::any_of(pages.pages,
                               [&](const HeadPage& page) { return !std::isnan(metric.of(page)); });
}

Json kindJson(std::optional<stats::HeadKind> kind)
{
    return kind ? Json(wordOf(*kind)) : Json();
}

double rounded(double value)
{
    return std::round(value * 1e4) / 1e4;
}

/// Tokens by weight, with how many times the share that their number would give them.
Json topTokens(const stats::CorpusTokens& tokens, const std::vector<double>& sums, const TokenText& tokenText)
{
    std::vector<std::size_t> order(sums.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(
        order, [&](std::size_t a, std::size_t b) { return std::pair(-sums[a], a) < std::pair(-sums[b], b); });
    const double whole = std::accumulate(sums.begin(), sums.end(), 0.0);
    double count = 0;
    for (std::size_t number = 0; number < sums.size(); ++number)
        count += static_cast<double>(tokens.count(number));
    Json list = Json::array();
    for (const std::size_t number : order) {
        if (list.size() == kTokensListed || !(sums[number] > 0))
            break;
        const auto own = static_cast<double>(tokens.count(number));
        list.push_back({{"token", tokenText(tokens.token(number))},
                        {"weight", sums[number]},
                        {"count", tokens.count(number)},
                        {"lift", rounded(sums[number] / whole / (own / count))}});
    }
    return list;
}

Json tokenList(const std::vector<std::int64_t>& tokens, const TokenText& tokenText)
{
    Json list = Json::array();
    for (const std::int64_t token : tokens)
        list.push_back(tokenText(token));
    return list;
}

Json exampleJson(const stats::HeadExample& example, const TokenText& tokenText)
{
    const auto length = static_cast<std::int64_t>(example.tokens.size());
    Json indices = Json::array();
    Json values = Json::array();
    for (const stats::HeadExample::Cell& cell : example.cells) {
        indices.push_back(cell.query * length + cell.key);
        values.push_back(rounded(cell.weight));
    }
    return {{"sequence_id", example.row},
            {"interval", 1},
            {"tokens", tokenList(example.tokens, tokenText)},
            {"token_ids", example.tokens},
            {"attention_indices", std::move(indices)},
            {"attention_values", std::move(values)},
            {"seq_len", length},
            {"max_activation", static_cast<double>(example.most.weight)},
            {"query", example.most.query},
            {"key", example.most.key}};
}

Json changesJson(const std::vector<stats::TokenChange>& changes, const TokenText& tokenText)
{
    Json list = Json::array();
    for (const stats::TokenChange& change : changes)
        list.push_back({{"sequence_id", change.row},
                        {"position", change.position},
                        {"tokens", tokenList(change.context, tokenText)},
                        {"loss", change.loss},
                        {"change", change.change}});
    return list;
}

Json connectedJson(const std::vector<ConnectedTokens>& connected, const TokenText& tokenText)
{
    const auto named = [&](const std::vector<engine::TokenWeight>& tokens) {
        Json list = Json::array();
        for (const engine::TokenWeight& token : tokens)
            list.push_back({{"token", tokenText(token.token)}, {"weight", token.weight}});
        return list;
    };
    Json list = Json::array();
    for (const ConnectedTokens& each : connected)
        list.push_back({{"token", tokenText(each.token)},
                        {"most", named(each.tokens.most)},
                        {"least", named(each.tokens.least)}});
    return list;
}

Json metricsOf(const stats::HeadTally& tally)
{
    Json metrics = Json::object();
    for (std::size_t metric = 0; metric < tally.metrics().size(); ++metric)
        metrics[std::string(stats::allMetrics()[metric].name)] =
            analyses::toJson(tally.metrics()[metric].estimate());
    return metrics;
}

Json levelEdges()
{
    Json edges = Json::array();
    for (std::size_t level = 0; level <= stats::HeadTally::kLevels; ++level)
        edges.push_back(static_cast<double>(level) / stats::HeadTally::kLevels);
    return edges;
}

}  // namespace

Json headTreeConfig(const HeadPages& pages, const HeadTreeAbout& about)
{
    Json heads = Json::array();
    Json names = Json::array();
    Json meanings = Json::object();
    for (const HeadPage& page : pages.pages)
        heads.push_back({page.head.layer, page.head.head});
    for (const TreeMetric& metric : kTreeMetrics)
        if (hasMetric(pages, metric)) {
            names.push_back(metric.name);
            meanings[metric.name] = metric.meaning;
        }
    const auto labelled = [](const char* key, const char* label) {
        return Json{{"key", key}, {"label", label}};
    };
    const std::int64_t tokens = pages.pages.empty() ? 0 : pages.pages.front().tally.counts().positions;
    return {
        {"model_name", about.model},
        {"np_model_id", about.model},
        {"dataset_name", about.corpus},
        {"heads", std::move(heads)},
        {"n_layers", pages.shape.layers},
        {"n_heads", pages.shape.heads},
        {"n_intervals", 1},
        {"metrics", std::move(names)},
        {"metric_descriptions", std::move(meanings)},
        {"head_data_pattern", "L{layer}H{head}.json"},
        {"has_umap", false},
        {"umap_heads", Json::array()},
        {"custom_plots",
         {labelled("qk_distance_histogram", "Distance"), labelled("histogram", "Largest weight of a row")}},
        {"custom_tables",
         {labelled("top_query_tokens", "Queries that look most"),
          labelled("top_key_tokens", "Keys that get most")}},
        {"statistics_display",
         {{"n_samples", {{"label", "Examples"}, {"format", "default"}}},
          {"mean_max_activation", {{"label", "Mean largest weight"}, {"format", "default"}}}}},
        {"pipeline_config",
         {{"model_name", about.model},
          {"np_model_id", about.model},
          {"dataset_name", about.corpus},
          {"n_sequences", pages.rows},
          {"actual_sequences_processed", pages.rows},
          {"seq_len", pages.longest},
          {"dtype", about.dtype},
          {"attn_implementation", "headscope"}}},
        {"headscope",
         {{"rows", pages.rows},
          {"tokens", tokens},
          {"ablation_rows", pages.ablationRows},
          {"conditions", about.conditions}}}};
}

Json headTreeScatter(const HeadPages& pages)
{
    Json rows = Json::array();
    for (const HeadPage& page : pages.pages) {
        Json row = headRow(page.head);
        for (const TreeMetric& metric : kTreeMetrics)
            if (hasMetric(pages, metric))
                row[metric.name] = numberOrNull(metric.of(page));
        row["kind"] = kindJson(page.kind);
        rows.push_back(std::move(row));
    }
    return rows;
}

Json headTreePage(const HeadPages& pages, const HeadPage& page, const TokenText& tokenText)
{
    const stats::HeadTally& tally = page.tally;
    Json sequences = Json::array();
    for (const stats::HeadExample& example : tally.examples())
        sequences.push_back(exampleJson(example, tokenText));
    Json kinds = Json::object();
    for (std::size_t kind = 0; kind < tally.kinds().size(); ++kind)
        kinds[std::string(wordOf(static_cast<stats::HeadKind>(kind)))] = tally.kinds()[kind];
    const stats::AttentionShares shares = tally.shares();
    Json json = headRow(page.head);
    json["kind"] = kindJson(page.kind);
    json["rows_by_kind"] = std::move(kinds);
    json["shares"] = {{"first_token", shares.first},       {"current_token", shares.current},
                      {"previous_token", shares.previous}, {"after_earlier_copy", shares.afterCopy},
                      {"elsewhere", shares.elsewhere},     {"nowhere", shares.nowhere}};
    json["metrics"] = metricsOf(tally);
    if (page.repeats)
        json["repeated_tokens"] = {{"induction", numberOrNull(page.repeats->induction)},
                                   {"duplicate_token", numberOrNull(page.repeats->duplicateToken)},
                                   {"previous_token", numberOrNull(page.repeats->previousToken)},
                                   {"first_token", numberOrNull(page.repeats->firstToken)}};
    json["sequences"] = std::move(sequences);
    json["qk_distance_histogram"] = {{"bin_edges", stats::HeadTally::kDistances},
                                     {"bin_values", tally.byDistance()}};
    json["top_query_tokens"] = topTokens(pages.tokens, tally.asQuery(), tokenText);
    json["top_key_tokens"] = topTokens(pages.tokens, tally.asKey(), tokenText);
    json["histogram"] = {{"bin_edges", levelEdges()}, {"bin_values", tally.byLevel()}};
    json["statistics"] = {{"n_samples", tally.examples().size()},
                          {"mean_max_activation", numberOrNull(tally.meanLargest())}};
    if (!std::isnan(page.copying)) {
        json["copying"] = page.copying;
        json["writes"] = connectedJson(page.writes, tokenText);
        json["reads"] = connectedJson(page.reads, tokenText);
    }
    if (pages.ablationRows > 0)
        json["ablation"] = {{"rows", pages.ablationRows},
                            {"method", "zero"},
                            {"loss", analyses::toJson(tally.ablation().estimate())},
                            {"harmed", changesJson(tally.harmed(), tokenText)},
                            {"helped", changesJson(tally.helped(), tokenText)}};
    return json;
}

}  // namespace hs::analyses
