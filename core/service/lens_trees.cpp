#include "service/lens_trees.h"

#include "service/request_trees.h"

namespace hs::service {
namespace {

using remote::arrayOf;
using remote::readArray;
using remote::Tree;

constexpr int kMostPositions = 1 << 24;
constexpr int kLargestVocabulary = 1 << 28;  // of a vocabulary
constexpr int kMostListed = 1 << 16;         // tokens in one list

std::size_t countIn(const JsonReader& reader, const char* name, int most)
{
    return static_cast<std::size_t>(reader[name].integer(0, most));
}

Tree listTree(const std::vector<engine::TokenWeight>& tokens)
{
    std::vector<std::int64_t> ids;
    std::vector<double> weights;
    for (const engine::TokenWeight& token : tokens) {
        ids.push_back(token.token);
        weights.push_back(token.weight);
    }
    return {{"count", tokens.size()}, {"tokens", arrayOf(ids)}, {"weights", arrayOf(weights)}};
}

std::vector<engine::TokenWeight> listFrom(const JsonReader& reader)
{
    const std::size_t count = countIn(reader, "count", kMostListed);
    const auto ids = readArray<std::int64_t>(reader["tokens"], count);
    const auto weights = readArray<double>(reader["weights"], count);
    std::vector<engine::TokenWeight> tokens;
    for (std::size_t index = 0; index < count; ++index)
        tokens.push_back({ids[index], weights[index]});
    return tokens;
}

}  // namespace

Tree treeOf(const engine::PromotedTokens& tokens)
{
    return {listTree(tokens.most), listTree(tokens.least)};
}

engine::PromotedTokens promotedFrom(const JsonReader& reader)
{
    return {listFrom(reader[0]), listFrom(reader[1])};
}

Tree treeOf(const PromptLens& found)
{
    std::vector<double> depths;        // [depth]
    std::vector<std::int64_t> tokens;  // [depth, position, place]
    std::vector<double> numbers;       // probability and logit of each
    std::vector<std::int64_t> ranks;   // [depth, position]
    std::vector<double> probabilities;
    std::size_t positions = 0, listed = 0;
    for (const engine::LensLayer& layer : found.layers) {
        depths.push_back(layer.layer);
        positions = layer.positions.size();
        for (const engine::LensReading& reading : layer.positions) {
            listed = reading.top.size();
            for (const engine::Prediction& prediction : reading.top) {
                tokens.push_back(prediction.token);
                numbers.insert(numbers.end(), {prediction.probability, prediction.logit});
            }
            ranks.push_back(reading.watched.at(0).rank);
            probabilities.push_back(reading.watched.at(0).probability);
        }
    }
    return {{"target", found.target},
            {"count", depths.size()},
            {"positions", positions},
            {"listed", listed},
            {"depths", arrayOf(depths)},
            {"tokens", arrayOf(tokens)},
            {"numbers", arrayOf(numbers)},
            {"ranks", arrayOf(ranks)},
            {"probabilities", arrayOf(probabilities)}};
}

PromptLens promptLensFrom(const JsonReader& reader, const HeadShape& heads)
{
    const std::size_t count = countIn(reader, "count", 2 * heads.layers + 1);
    const std::size_t positions = countIn(reader, "positions", kMostPositions);
    const auto listed = static_cast<std::size_t>(reader["listed"].integer(1, kMostListed));
    const std::size_t readings = count * positions;
    const auto depths = readArray<double>(reader["depths"], count);
    const auto tokens = readArray<std::int64_t>(reader["tokens"], readings * listed);
    const auto numbers = readArray<double>(reader["numbers"], 2 * readings * listed);
    const auto ranks = readArray<std::int64_t>(reader["ranks"], readings);
    const auto probabilities = readArray<double>(reader["probabilities"], readings);
    PromptLens found{reader["target"].integer(0, kLargestVocabulary), {}};
    std::size_t at = 0, entry = 0;
    for (const double depth : depths) {
        engine::LensLayer layer{depth, {}};
        for (std::size_t position = 0; position < positions; ++position, ++at) {
            engine::LensReading reading{static_cast<int>(position), {}, {{ranks[at], probabilities[at]}}};
            for (std::size_t place = 0; place < listed; ++place, ++entry)
                reading.top.push_back({tokens[entry], numbers[2 * entry], numbers[2 * entry + 1]});
            layer.positions.push_back(std::move(reading));
        }
        found.layers.push_back(std::move(layer));
    }
    return found;
}

Tree treeOf(const engine::Saliency& found)
{
    return {{"position", found.position},
            {"count", found.integrated.size()},
            {"logits", arrayOf(std::vector{found.logit, found.baselineLogit})},
            {"gradientTimesInput", arrayOf(found.gradientTimesInput)},
            {"integrated", arrayOf(found.integrated)}};
}

engine::Saliency saliencyFrom(const JsonReader& reader)
{
    const std::size_t count = countIn(reader, "count", kMostPositions);
    const auto logits = readArray<double>(reader["logits"], 2);
    return {reader["position"].integer(0, kMostPositions), logits[0], logits[1],
            readArray<double>(reader["gradientTimesInput"], count),
            readArray<double>(reader["integrated"], count)};
}

Tree treeOf(const HeadWords& found)
{
    Tree tree = {{"heads", toTree(std::vector{found.onPrompt.head})},
                 {"query", found.onPrompt.query},
                 {"isCell", found.onPrompt.key.has_value()},
                 {"key", found.key},
                 {"count", found.onPrompt.weights.size()},
                 {"weights", arrayOf(found.onPrompt.weights)},
                 {"onPrompt", treeOf(found.onPrompt.tokens)},
                 {"tokens", arrayOf(std::vector{found.queryToken, found.keyToken})},
                 {"written", treeOf(found.written)},
                 {"sought", treeOf(found.sought)}};
    if (found.copying)
        tree["copying"] = *found.copying;
    return tree;
}

HeadWords headWordsFrom(const JsonReader& reader, const HeadShape& heads)
{
    HeadWords found;
    const std::vector<HeadId> named = headsFrom(reader["heads"], heads);
    if (named.size() != 1)
        reader.bad("is not about one head");
    const std::size_t count = countIn(reader, "count", kMostPositions);
    const int last = static_cast<int>(count) - 1;
    found.key = reader["key"].integer(0, last);
    found.onPrompt = {named.front(), reader["query"].integer(0, last),
                      reader["isCell"].flag() ? std::optional(found.key) : std::nullopt,
                      readArray<double>(reader["weights"], count), promotedFrom(reader["onPrompt"])};
    const auto tokens = readArray<std::int64_t>(reader["tokens"], 2);
    found.queryToken = tokens[0];
    found.keyToken = tokens[1];
    found.written = promotedFrom(reader["written"]);
    found.sought = promotedFrom(reader["sought"]);
    if (reader["copying"])
        found.copying = reader["copying"].number();
    return found;
}

}  // namespace hs::service
