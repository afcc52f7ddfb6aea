#include "base/failure.h"
#include "stats/head_tally.h"

#include <cstring>

namespace hs::stats {
namespace {

constexpr int kMostRows = 1 << 30;
constexpr int kMostPositions = 1 << 24;

/// Many numbers as their bytes.
template <class Number>
Json packed(const std::vector<Number>& numbers)
{
    std::vector<std::uint8_t> bytes(numbers.size() * sizeof(Number));
    if (!numbers.empty())
        std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return Json::binary(std::move(bytes));
}

template <class Number>
std::vector<Number> unpacked(const JsonReader& reader)
{
    const Json& json = reader.json();
    if (!json.is_binary() || json.get_binary().size() % sizeof(Number) != 0)
        reader.refuse("packed numbers");
    std::vector<Number> numbers(json.get_binary().size() / sizeof(Number));
    if (!numbers.empty())
        std::memcpy(numbers.data(), json.get_binary().data(), json.get_binary().size());
    return numbers;
}

template <class Array>
void readInto(Array& numbers, const JsonReader& reader)
{
    const auto read = unpacked<typename Array::value_type>(reader);
    if (read.size() != numbers.size())
        reader.refuse("as many numbers as this version keeps");
    std::ranges::copy(read, numbers.begin());
}

template <class Array>
Json packedArray(const Array& numbers)
{
    return packed(std::vector<typename Array::value_type>(numbers.begin(), numbers.end()));
}

Json toJson(const HeadExample& example)
{
    std::vector<int> places;
    std::vector<float> weights;
    for (const HeadExample::Cell& cell : example.cells) {
        places.insert(places.end(), {cell.query, cell.key});
        weights.push_back(cell.weight);
    }
    return {{"row", example.row},
            {"query", example.most.query},
            {"key", example.most.key},
            {"weight", example.most.weight},
            {"tokens", packed(example.tokens)},
            {"places", packed(places)},
            {"weights", packed(weights)}};
}

HeadExample exampleFrom(const JsonReader& reader)
{
    HeadExample example;
    example.row = reader["row"].integer(0, kMostRows);
    example.tokens = unpacked<std::int64_t>(reader["tokens"]);
    const int last = static_cast<int>(std::min<std::size_t>(example.tokens.size(), kMostPositions)) - 1;
    example.most = {reader["query"].integer(0, last), reader["key"].integer(0, last),
                    static_cast<float>(reader["weight"].number(0, 1.001))};
    const auto places = unpacked<int>(reader["places"]);
    const auto weights = unpacked<float>(reader["weights"]);
    if (places.size() != 2 * weights.size())
        reader.bad("has cells without a place");
    for (std::size_t cell = 0; cell < weights.size(); ++cell) {
        const int query = places[2 * cell];
        const int key = places[2 * cell + 1];
        if (key < 0 || key > query || query > last)
            reader.bad("has cells outside its row");
        example.cells.push_back({query, key, weights[cell]});
    }
    return example;
}

Json toJson(const TokenChange& change)
{
    return {{"row", change.row},
            {"position", change.position},
            {"loss", change.loss},
            {"change", change.change},
            {"context", packed(change.context)}};
}

TokenChange changeFrom(const JsonReader& reader)
{
    return {reader["row"].integer(0, kMostRows), reader["position"].integer(0, kMostPositions),
            reader["loss"].number(), reader["change"].number(), unpacked<std::int64_t>(reader["context"])};
}

template <class Item>
Json listOf(const std::vector<Item>& items)
{
    Json list = Json::array();
    for (const Item& item : items)
        list.push_back(toJson(item));
    return list;
}

}  // namespace

Json CorpusTokens::toJson() const
{
    return {{"tokens", packed(m_tokens)}, {"counts", packed(m_counts)}};
}

CorpusTokens CorpusTokens::from(const JsonReader& reader)
{
    CorpusTokens tokens;
    tokens.m_tokens = unpacked<std::int64_t>(reader["tokens"]);
    tokens.m_counts = unpacked<std::int64_t>(reader["counts"]);
    for (const std::int64_t token : tokens.m_tokens)
        tokens.m_numbers.try_emplace(token, tokens.m_numbers.size());
    if (tokens.m_numbers.size() != tokens.m_tokens.size() || tokens.m_counts.size() != tokens.m_tokens.size())
        reader.bad("numbers a token twice");
    return tokens;
}

Json HeadTally::toJson() const
{
    Json metrics = Json::array();
    for (const ValueSums& metric : m_metrics)
        metrics.push_back(metric.toJson());
    return {{"counts", {m_counts.positions, m_counts.rows, m_counts.repeated}},
            {"sums", packedArray(m_sums)},
            {"shares", packedArray(m_shares)},
            {"metrics", std::move(metrics)},
            {"kinds", packedArray(m_kinds)},
            {"by_distance", packedArray(m_byDistance)},
            {"by_level", packedArray(m_byLevel)},
            {"largest", m_largest},
            {"as_key", packed(m_asKey)},
            {"as_query", packed(m_asQuery)},
            {"examples", listOf(m_examples)},
            {"ablation", m_ablation.toJson()},
            {"harmed", listOf(m_harmed)},
            {"helped", listOf(m_helped)}};
}

HeadTally HeadTally::from(const JsonReader& reader, int examples)
{
    HeadTally tally(examples);
    const auto count = [&](std::size_t index) {
        return static_cast<std::int64_t>(reader["counts"][index].number(0, 1e15));
    };
    tally.m_counts = {count(0), count(1), count(2)};
    readInto(tally.m_sums, reader["sums"]);
    readInto(tally.m_shares, reader["shares"]);
    std::size_t metric = 0;
    for (const JsonReader& sums : reader["metrics"].items(tally.m_metrics.size()))
        tally.m_metrics[metric++] = ValueSums::from(sums);
    readInto(tally.m_kinds, reader["kinds"]);
    readInto(tally.m_byDistance, reader["by_distance"]);
    readInto(tally.m_byLevel, reader["by_level"]);
    tally.m_largest = reader["largest"].number();
    tally.m_asKey = unpacked<double>(reader["as_key"]);
    tally.m_asQuery = unpacked<double>(reader["as_query"]);
    if (tally.m_asKey.size() != tally.m_asQuery.size())
        reader.bad("has keys without queries");
    for (const JsonReader& example : reader["examples"].items())
        tally.m_examples.push_back(exampleFrom(example));
    tally.m_ablation = ValueSums::from(reader["ablation"]);
    for (const JsonReader& change : reader["harmed"].items())
        tally.m_harmed.push_back(changeFrom(change));
    for (const JsonReader& change : reader["helped"].items())
        tally.m_helped.push_back(changeFrom(change));
    return tally;
}

}  // namespace hs::stats
