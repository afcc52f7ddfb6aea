#include "app/commands/lens_output.h"
#include "analyses/head_json.h"

#include "app/support/text_table.h"
#include "app/support/token_output.h"
#include "app/support/workspace.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace hs::app {
namespace {

constexpr std::size_t kHeadsListed = 20;

std::string threeDecimals(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", value);
    return text;
}

/// The names of tokens, for people.
class TokenNames {
public:
    explicit TokenNames(const engine::Workspace& workspace) : m_tokenizer(workspace.tokenizer.get()) {}

    /// "\" Mary\"", or the id where there is no tokenizer.
    std::string operator()(std::int64_t token) const
    {
        if (!m_tokenizer)
            return std::to_string(token);
        std::string quoted = "\"";
        for (const char byte : tokenText(m_tokenizer, token))
            quoted += byte == '\n' ? std::string("\\n") : std::string(1, byte);
        return quoted + "\"";
    }

private:
    const text::Tokenizer* m_tokenizer;
};

Json weightList(const std::vector<engine::TokenWeight>& tokens, const char* key,
                const text::Tokenizer* tokenizer)
{
    Json list = Json::array();
    for (const engine::TokenWeight& token : tokens) {
        Json row = tokenJson(token.token, tokenizer);
        row[key] = token.weight;
        list.push_back(std::move(row));
    }
    return list;
}

/// Two lists side by side, each token with its number.
void addPairs(TextTable& table, const engine::PromotedTokens& tokens, const TokenNames& names)
{
    const auto named = [&](const engine::TokenWeight& token) {
        return names(token.token) + " " + signedNumber(token.weight);
    };
    for (std::size_t index = 0; index < tokens.most.size(); ++index)
        table.add(std::to_string(index + 1), {named(tokens.most[index]), named(tokens.least[index])});
}

Json readingJson(const engine::LensReading& reading, const text::Tokenizer* tokenizer)
{
    Json top = Json::array();
    for (const engine::Prediction& prediction : reading.top) {
        Json row = tokenJson(prediction.token, tokenizer);
        row["prob"] = prediction.probability;
        top.push_back(std::move(row));
    }
    Json json = {{"position", reading.position}, {"top", std::move(top)}};
    if (!reading.watched.empty())
        json["target"] = {{"rank", reading.watched[0].rank}, {"prob", reading.watched[0].probability}};
    return json;
}

/// A whole number without a point: the layers' own numbers.
Json depthJson(double layer)
{
    const auto whole = static_cast<int>(layer);
    return whole == layer ? Json(whole) : Json(layer);
}

}  // namespace

LensOutput lensOutput(const engine::Workspace& workspace, const engine::RunRequest& run,
                      const engine::Lens& lens)
{
    const text::Tokenizer* const tokenizer = workspace.tokenizer.get();
    const TokenNames names(workspace);
    const std::vector<std::int64_t>& watched = run.capture.watched;
    LensOutput output{{{"model", workspace.model->facts().name},
                       {"tokens", tokenList(run.tokens, tokenizer)},
                       {"target", watched.empty() ? Json(nullptr) : tokenJson(watched[0], tokenizer)},
                       {"layers", Json::array()}},
                      {}};
    TextTable table;
    std::vector<std::string> heading;
    if (!watched.empty())
        heading = {"rank", names(watched[0])};
    heading.emplace_back("most probable");
    table.add("layer", heading);
    for (const engine::LensLayer& layer : lens) {
        Json positions = Json::array();
        for (const engine::LensReading& reading : layer.positions)
            positions.push_back(readingJson(reading, tokenizer));
        output.json["layers"].push_back(
            {{"layer", depthJson(layer.layer)}, {"positions", std::move(positions)}});
        const engine::LensReading& last = layer.positions.back();
        std::vector<std::string> values;
        if (!last.watched.empty())
            values = {std::to_string(last.watched[0].rank), threeDecimals(last.watched[0].probability)};
        for (const engine::Prediction& prediction : last.top)
            values.push_back(names(prediction.token) + " " + threeDecimals(prediction.probability));
        table.add(depthJson(layer.layer).dump(), std::move(values));
    }
    output.table = table.text();
    return output;
}

LensOutput writeOutputOf(const engine::Workspace& workspace, const engine::RunRequest& run,
                         const engine::HeadWrite& write)
{
    const text::Tokenizer* const tokenizer = workspace.tokenizer.get();
    const TokenNames names(workspace);
    const auto at = [&](int position) {
        return std::to_string(position) + " " + names(run.tokens[static_cast<std::size_t>(position)]);
    };
    double weight = 0;
    for (const double part : write.weights)
        weight += part;
    if (write.key)
        weight = write.weights[static_cast<std::size_t>(*write.key)];
    LensOutput output{
        {{"model", workspace.model->facts().name},
         {"tokens", tokenList(run.tokens, tokenizer)},
         {"layer", write.head.layer},
         {"head", analyses::indexOf(write.head)},
         {"query", write.query},
         {"key", write.key ? Json(*write.key) : Json(nullptr)},
         {"weight", weight},
         {"weights", write.weights},
         {"promoted", weightList(write.tokens.most, "logit", tokenizer)},
         {"suppressed", weightList(write.tokens.least, "logit", tokenizer)}},
        toString(write.head) + " writes at " + at(write.query) +
            (write.key ? ", from " + at(*write.key) : std::string()) +
            (write.head.isMlp() ? std::string() : ", with a weight of " + threeDecimals(weight)) + "\n"};
    TextTable table;
    table.add("", {"pushes", "holds down"});
    addPairs(table, write.tokens, names);
    output.table += table.text();
    return output;
}

LensOutput circuitOutput(const engine::Workspace& workspace, HeadId head, std::int64_t token,
                         const engine::PromotedTokens& written, const engine::PromotedTokens& keys)
{
    const text::Tokenizer* const tokenizer = workspace.tokenizer.get();
    const TokenNames names(workspace);
    LensOutput output{{{"model", workspace.model->facts().name},
                       {"layer", head.layer},
                       {"head", head.head},
                       {"token", tokenJson(token, tokenizer)},
                       {"writes",
                        {{"promoted", weightList(written.most, "score", tokenizer)},
                         {"suppressed", weightList(written.least, "score", tokenizer)}}},
                       {"looks_for",
                        {{"preferred", weightList(keys.most, "score", tokenizer)},
                         {"avoided", weightList(keys.least, "score", tokenizer)}}}},
                      {}};
    TextTable table;
    table.add(toString(head) + " reads " + names(token), {"pushes", "holds down"});
    addPairs(table, written, names);
    table.add(toString(head) + " at " + names(token), {"looks for", "avoids"});
    addPairs(table, keys, names);
    output.table = table.text();
    return output;
}

LensOutput copyingOutput(const engine::Workspace& workspace, const std::vector<double>& scores)
{
    const HeadShape shape = workspace.model->spec().headShape();
    LensOutput output{{{"model", workspace.model->facts().name}, {"heads", Json::array()}}, {}};
    for (const HeadId head : shape.all())
        output.json["heads"].push_back({{"layer", head.layer},
                                        {"head", head.head},
                                        {"copying", scores[static_cast<std::size_t>(shape.indexOf(head))]}});
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t index) { return scores[index]; });
    order.resize(std::min(order.size(), kHeadsListed));
    TextTable table;
    table.add("head", {"copying"});
    for (const std::size_t index : order)
        table.add(toString(shape.at(static_cast<int>(index))), {signedNumber(scores[index])});
    output.table = table.text();
    return output;
}

LensOutput saliencyOutput(const engine::Workspace& workspace, const engine::SaliencyRequest& request,
                          const engine::Saliency& saliency)
{
    const text::Tokenizer* const tokenizer = workspace.tokenizer.get();
    const TokenNames names(workspace);
    Json tokens = tokenList(request.run.tokens, tokenizer);
    TextTable table;
    table.add("token", {"gradient x input", "integrated"});
    double sum = 0;
    for (std::size_t index = 0; index < tokens.size(); ++index) {
        const double product = saliency.gradientTimesInput[index];
        const double integrated = saliency.integrated[index];
        tokens[index].update({{"gradient_x_input", product}, {"integrated", integrated}});
        table.add(std::to_string(index) + " " + names(request.run.tokens[index]),
                  {signedNumber(product), signedNumber(integrated)});
        sum += integrated;
    }
    const double difference = saliency.logit - saliency.baselineLogit;
    table.add("sum", {"", signedNumber(sum)});
    table.add("logit less the baseline's", {"", signedNumber(difference)});
    const auto optionalToken = [&](const std::optional<std::int64_t>& token) {
        return token ? tokenJson(*token, tokenizer) : Json(nullptr);
    };
    return {{{"model", workspace.model->facts().name},
             {"tokens", std::move(tokens)},
             {"target", tokenJson(request.target, tokenizer)},
             {"versus", optionalToken(request.versus)},
             {"baseline", optionalToken(request.baseline)},
             {"position", saliency.position},
             {"logit", saliency.logit},
             {"baseline_logit", saliency.baselineLogit},
             {"steps", request.steps},
             {"sum", sum},
             {"error", saliency.error()}},
            table.text()};
}

}  // namespace hs::app
