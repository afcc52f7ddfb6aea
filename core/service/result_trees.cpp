#include "service/result_trees.h"

#include "service/set_trees.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hs::service {
namespace {

using remote::arrayOf;
using remote::readArray;
using remote::Tree;

// More than any model has; products of them stay far from overflow.
constexpr int kMostLayers = 1 << 14;
constexpr int kMostHeads = 1 << 14;
constexpr int kMostTokens = 1 << 24;
constexpr int kMostSide = 1 << 12;

constexpr std::array kFields = {
    &stats::HeadStats::previousToken,     &stats::HeadStats::currentToken, &stats::HeadStats::firstToken,
    &stats::HeadStats::duplicateToken,    &stats::HeadStats::induction,    &stats::HeadStats::entropy,
    &stats::HeadStats::entropyNormalized, &stats::HeadStats::peak,         &stats::HeadStats::meanDistance,
    &stats::HeadStats::density,           &stats::HeadStats::densityAbove,
};
constexpr std::size_t kNumbers = kFields.size() + 1;  // the last one is a count

Tree numberTree(std::optional<double> number)
{
    return number ? Tree(*number) : Tree();
}

std::optional<double> numberFrom(const JsonReader& reader)
{
    return reader ? std::optional(reader.number()) : std::nullopt;
}

Tree treeOf(const std::vector<engine::Prediction>& predictions)
{
    std::vector<std::int64_t> ids;
    std::vector<double> numbers;  // [prediction, 2]
    for (const engine::Prediction& prediction : predictions) {
        ids.push_back(prediction.token);
        numbers.insert(numbers.end(), {prediction.probability, prediction.logit});
    }
    return {{"count", ids.size()}, {"ids", arrayOf(ids)}, {"numbers", arrayOf(numbers)}};
}

std::vector<engine::Prediction> predictionsFrom(const JsonReader& reader)
{
    const auto count = static_cast<std::size_t>(reader["count"].integer(0, kMostTokens));
    const auto ids = readArray<std::int64_t>(reader["ids"], count);
    const auto numbers = readArray<double>(reader["numbers"], 2 * count);
    std::vector<engine::Prediction> predictions;
    for (std::size_t index = 0; index < count; ++index)
        predictions.push_back({ids[index], numbers[2 * index], numbers[2 * index + 1]});
    return predictions;
}

Tree treeOf(const WatchedToken& watched)
{
    return {{"id", watched.id},
            {"problem", watched.problem},
            {"readings", treeOf(std::vector{watched.after, watched.before})}};
}

WatchedToken watchedFrom(const JsonReader& reader)
{
    WatchedToken watched;
    watched.id = static_cast<std::int64_t>(reader["id"].number(-1, 1e15));
    watched.problem = reader["problem"].text("");
    const std::vector<engine::Prediction> readings = predictionsFrom(reader["readings"]);
    if (readings.size() != 2)
        reader.bad("has another number of readings than two");
    watched.after = readings[0];
    watched.before = readings[1];
    return watched;
}

Tree treeOf(const std::vector<text::Token>& tokens)
{
    std::vector<std::int64_t> numbers;  // [token, 3]
    Tree texts = Tree::array();
    Tree roles = Tree::array(), messages = Tree::array();
    for (const text::Token& token : tokens) {
        numbers.insert(numbers.end(), {token.id, static_cast<std::int64_t>(token.begin),
                                       static_cast<std::int64_t>(token.end)});
        texts.push_back(token.text);
        roles.push_back(wordOf(token.role));
        messages.push_back(token.message);
    }
    Tree tree = {{"numbers", arrayOf(numbers)}, {"texts", std::move(texts)}};
    if (!tokens.empty() && tokens.front().role != text::TokenRole::Text) {
        tree["roles"] = std::move(roles);
        tree["messages"] = std::move(messages);
    }
    return tree;
}

std::vector<text::Token> tokensFrom(const JsonReader& reader)
{
    const std::size_t count = reader["texts"].list().size();
    const auto numbers = readArray<std::int64_t>(reader["numbers"], 3 * count);
    std::vector<text::Token> tokens;
    for (std::size_t index = 0; index < count; ++index)
        tokens.push_back(
            {numbers[3 * index], reader["texts"][index].text(),
             static_cast<std::uint64_t>(numbers[3 * index + 1]),
             static_cast<std::uint64_t>(numbers[3 * index + 2]),
             reader["roles"] ? reader["roles"][index].word<text::TokenRole>() : text::TokenRole::Text,
             reader["messages"] ? reader["messages"][index].integer(-1, kMostTokens) : -1});
    return tokens;
}

/// Modulo 256: small changes are numbers near 0 and 255, which pack well.
void subtract(std::span<std::uint8_t> bytes, const std::uint8_t* base)
{
    for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(byte - *base++);
}

void add(std::span<std::uint8_t> bytes, const std::uint8_t* base)
{
    for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(byte + *base++);
}

std::size_t tileBytes(const HeadShape& heads, int side)
{
    return static_cast<std::size_t>(heads.heads) * static_cast<std::size_t>(side) *
           static_cast<std::size_t>(side);
}

std::shared_ptr<std::uint8_t[]> tileFrom(const JsonReader& reader, std::size_t bytes)
{
    const std::span<const std::uint8_t> from = remote::readBytes(reader, bytes);
    std::shared_ptr<std::uint8_t[]> tile(new std::uint8_t[bytes]);
    std::ranges::copy(from, tile.get());
    return tile;
}

/// The layer's tiles in a base whose tiles are of the same size.
const std::uint8_t* baseTiles(const engine::RunResult& run, const engine::RunResult* base, std::size_t layer)
{
    return base && base->heads.heads == run.heads.heads && base->tileRows == run.tileRows &&
                   layer < base->tiles.size()
               ? base->tiles[layer].get()
               : nullptr;
}

/// The numbers of a run's statistics, with 0 bits where they are those of a base with the same heads. Its own
/// inverse.
void differ(std::vector<float>& numbers, const HeadShape& heads, const engine::RunResult* base)
{
    if (!base || base->heads != heads || numbers.size() != base->stats.size() * kNumbers)
        return;
    const std::vector<float> known = numbersOf(base->stats);
    for (std::size_t index = 0; index < numbers.size(); ++index)
        numbers[index] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(numbers[index]) ^
                                              std::bit_cast<std::uint32_t>(known[index]));
}

Tree treeOf(const engine::RunResult& run, const engine::RunResult* base)
{
    const std::size_t bytes = tileBytes(run.heads, run.tileRows);
    Tree tiles = Tree::array();
    for (std::size_t layer = 0; layer < run.tiles.size(); ++layer) {
        std::vector<std::uint8_t> tile(run.tiles[layer].get(), run.tiles[layer].get() + bytes);
        const std::uint8_t* const known = baseTiles(run, base, layer);
        if (known)
            subtract(tile, known);
        const bool isKnown = known && std::ranges::all_of(tile, [](std::uint8_t byte) { return byte == 0; });
        tiles.push_back(isKnown ? Tree() : arrayOf(tile));
    }
    std::vector<float> numbers = numbersOf(run.stats);
    differ(numbers, run.heads, base);
    return {{"heads", toTree(run.heads)},
            {"tokens", arrayOf(run.tokens)},
            {"length", run.tokens.size()},
            {"position", run.position},
            {"predictions", treeOf(run.predictions)},
            {"watched", treeOf(run.watched)},
            {"numbers", arrayOf(std::vector{run.density, run.milliseconds, run.loss.value_or(0)})},
            {"hasLoss", run.loss.has_value()},
            {"stats", arrayOf(numbers)},
            {"side", run.tileRows},
            {"tiles", std::move(tiles)},
            {"first", run.firstLayerComputed}};
}

engine::RunResult runFrom(const JsonReader& reader, const engine::RunResult* base)
{
    engine::RunResult run;
    run.heads = headShapeFrom(reader["heads"]);
    const int length = reader["length"].integer(0, kMostTokens);
    run.tokens = readArray<std::int64_t>(reader["tokens"], static_cast<std::size_t>(length));
    run.position = reader["position"].integer(0, kMostTokens);
    run.predictions = predictionsFrom(reader["predictions"]);
    run.watched = predictionsFrom(reader["watched"]);
    const auto few = readArray<double>(reader["numbers"], 3);
    run.density = few[0];
    run.milliseconds = few[1];
    if (reader["hasLoss"].flag())
        run.loss = few[2];
    run.firstLayerComputed = reader["first"].integer(0, kMostLayers);

    const auto heads = static_cast<std::size_t>(run.heads.total());
    auto numbers = readArray<float>(reader["stats"], kNumbers * heads);
    differ(numbers, run.heads, base);
    run.stats = statsOf(numbers);

    // Engines' patterns are square.
    run.tileRows = run.tileColumns = reader["side"].integer(0, std::min(length, kMostSide));
    const std::size_t bytes = tileBytes(run.heads, run.tileRows);
    for (const JsonReader& entry : reader["tiles"].items(static_cast<std::size_t>(run.heads.layers))) {
        const std::uint8_t* const known = baseTiles(run, base, run.tiles.size());
        if (!entry && known) {
            run.tiles.push_back(base->tiles[run.tiles.size()]);
            continue;
        }
        const std::shared_ptr<std::uint8_t[]> tile = tileFrom(entry, bytes);
        if (known)
            add({tile.get(), bytes}, known);
        run.tiles.push_back(tile);
    }
    return run;
}

}  // namespace

Tree toTree(const HeadShape& heads)
{
    return {heads.layers, heads.heads, heads.kvHeads};
}

HeadShape headShapeFrom(const JsonReader& reader)
{
    const HeadShape heads = {reader[0].integer(0, kMostLayers), reader[1].integer(0, kMostHeads),
                             reader[2].integer(0, kMostHeads)};
    if (heads.total() > 0 && (heads.kvHeads == 0 || heads.heads % heads.kvHeads != 0))
        reader.bad("has key/value heads that its heads cannot share");
    return heads;
}

std::vector<float> numbersOf(std::span<const stats::HeadStats> stats)
{
    std::vector<float> numbers;
    numbers.reserve(stats.size() * kNumbers);
    for (const stats::HeadStats& head : stats) {
        for (const auto field : kFields)
            numbers.push_back(static_cast<float>(head.*field));
        numbers.push_back(static_cast<float>(head.offDiagonalAboveHalf));
    }
    return numbers;
}

std::vector<stats::HeadStats> statsOf(std::span<const float> numbers)
{
    static constexpr double kLargestCount = 1e15;
    std::vector<stats::HeadStats> stats(numbers.size() / kNumbers);
    std::size_t index = 0;
    for (stats::HeadStats& head : stats) {
        for (const auto field : kFields)
            head.*field = numbers[index++];
        const double count = numbers[index++];
        head.offDiagonalAboveHalf =
            static_cast<std::int64_t>(count >= 0 && count <= kLargestCount ? count : 0);
    }
    return stats;
}

Tree toTree(const OpenModel& model)
{
    Tree revisions = Tree::array();
    for (const model::Revision& revision : model.revisions)
        revisions.push_back({{"step", revision.step}, {"source", revision.source}});
    return {{"title", model.title},
            {"heads", toTree(model.heads)},
            {"context", model.context},
            {"gate", numberTree(model.ownGateBias)},
            {"device", model.device},
            {"hasGpu", model.hasGpu},
            {"precision", model.precision},
            {"tf32", model.tf32},
            {"bytes", model.weightBytes},
            {"folder", model.folder},
            {"fingerprint", model.fingerprint},
            {"coders", model.coders},
            {"ownAdapter", model.ownAdapter},
            {"revisions", std::move(revisions)},
            {"revision", model.revision ? Tree(*model.revision) : Tree()},
            {"notes", model.notes},
            {"check", model.check ? Tree{{"reference", model.check->reference},
                                         {"difference", model.check->difference}}
                                  : Tree()}};
}

OpenModel openModelFrom(const JsonReader& reader)
{
    OpenModel model;
    model.title = reader["title"].text();
    model.heads = headShapeFrom(reader["heads"]);
    if (model.heads.total() == 0)
        reader.bad("has no heads");
    model.context = reader["context"].integer(1, kMostTokens);
    model.ownGateBias = numberFrom(reader["gate"]);
    model.device = reader["device"].text();
    model.hasGpu = reader["hasGpu"].flag(false);  // an older machine does not say
    model.precision = reader["precision"].text();
    model.tf32 = reader["tf32"].flag();
    model.weightBytes = static_cast<std::uint64_t>(reader["bytes"].number(0, 1e18));
    model.folder = reader["folder"].text();
    model.coders = reader["coders"].text("");
    model.ownAdapter = reader["ownAdapter"].text("");
    if (const JsonReader revisions = reader["revisions"])  // an older machine says nothing of them
        for (const JsonReader& revision : revisions.items())
            model.revisions.push_back(
                {static_cast<std::int64_t>(revision["step"].number(0, 1e15)), revision["source"].text()});
    if (const JsonReader own = reader["revision"])
        model.revision =
            static_cast<std::size_t>(own.integer(0, static_cast<int>(model.revisions.size()) - 1));
    model.fingerprint = reader["fingerprint"].text();
    if (const JsonReader check = reader["check"])
        model.check = {check["reference"].text(), check["difference"].number(0, 1)};
    for (const JsonReader& note : reader["notes"].items())
        model.notes.push_back(note.text());
    return model;
}

Tree toTree(const analyses::DeviceCheck& check)
{
    Tree beyond;
    if (check.beyond)
        beyond = {{"head", check.beyond->head ? Tree(toString(*check.beyond->head)) : Tree()},
                  {"size", check.beyond->size},
                  {"allowed", check.beyond->allowed}};
    return {{"layers", check.layers}, {"left", check.left}, {"beyond", std::move(beyond)}};
}

analyses::DeviceCheck deviceCheckFrom(const JsonReader& reader, const HeadShape& shape)
{
    analyses::DeviceCheck check;
    check.layers = reader["layers"].integer(0, shape.layers);
    check.left = reader["left"].text();
    if (const JsonReader beyond = reader["beyond"]) {
        check.beyond = {std::nullopt, beyond["size"].number(0, analyses::kFarthest),
                        beyond["allowed"].number(0, 1)};
        if (const JsonReader head = beyond["head"]) {
            check.beyond->head = orThrow(parseHead(head.text()));
            if (!shape.contains(*check.beyond->head))
                head.bad("is not a head of the model");
        }
    }
    return check;
}

Tree toTree(const SideResult& result, const SideResult* base)
{
    const bool isPart = result.before.tokens.empty();
    // Without ablations both are the same run.
    const bool hasBefore = !isPart && result.before.tiles != result.after.tiles;
    return {{"tokens", treeOf(result.tokens)},
            {"blockTokens", result.hasBlocks() ? treeOf(result.blockTokens) : Tree()},
            {"blocks", arrayOf(result.spans.ends())},
            {"isPart", isPart},
            {"after", treeOf(result.after, base ? &base->after : nullptr)},
            {"before", hasBefore ? treeOf(result.before, base ? &base->before : nullptr) : Tree()},
            {"position", result.position},
            {"target", treeOf(result.target)},
            {"distractor", treeOf(result.distractor)},
            {"next", treeOf(result.next)},
            {"set", result.set ? toTree(*result.set) : Tree()},
            {"milliseconds", result.milliseconds}};
}

SideResult sideResultFrom(const JsonReader& reader, const SideRequest& request, const SideResult* base)
{
    SideResult result;
    result.request = request;
    result.tokens = tokensFrom(reader["tokens"]);
    if (reader["blockTokens"]) {
        result.blockTokens = tokensFrom(reader["blockTokens"]);
        result.spans = TokenSpans(readArray<int>(reader["blocks"], result.tokens.size()));
        if (!result.spans.folds() || !result.spans.fit(static_cast<int>(result.blockTokens.size())))
            reader.bad("has blocks that do not cut its text");
    }
    result.after = runFrom(reader["after"], base ? &base->after : nullptr);
    const bool isPart = reader["isPart"].flag();
    if (reader["before"])
        result.before = runFrom(reader["before"], base ? &base->before : nullptr);
    else if (!isPart)
        result.before = result.after;
    for (const engine::RunResult* const run : {&result.after, isPart ? &result.after : &result.before})
        if (run->tokens.size() != result.tokens.size() || run->heads.heads != request.model->heads.heads ||
            run->heads.layers > request.model->heads.layers)
            reader.bad("is not a run of the model and prompt that were asked for");
    result.position =
        reader["position"].integer(0, std::max(static_cast<int>(result.textTokens().size()) - 1, 0));
    result.target = watchedFrom(reader["target"]);
    result.distractor = watchedFrom(reader["distractor"]);
    if (reader["next"])
        result.next = watchedFrom(reader["next"]);
    if (reader["set"])
        result.set = std::make_shared<const SetSummary>(setSummaryFrom(reader["set"], request.model->heads));
    result.milliseconds = reader["milliseconds"].number();
    result.kinds = kindsOf(result.after);
    return result;
}

Tree toTree(const engine::LayerMap& map, int heads, int tokens)
{
    std::vector<float> cells;
    for (int row = 0; row < heads * tokens; ++row) {
        const float* const begin = map.get() + static_cast<std::ptrdiff_t>(row) * tokens;
        cells.insert(cells.end(), begin, begin + row % tokens + 1);
    }
    return arrayOf(cells);
}

engine::LayerMap layerMapFrom(const JsonReader& reader, engine::MapKind kind, int heads, int tokens)
{
    const auto side = static_cast<std::size_t>(tokens);
    const std::vector<float> cells =
        readArray<float>(reader, static_cast<std::size_t>(heads) * (side * (side + 1) / 2));
    const std::size_t rows = static_cast<std::size_t>(heads) * side;
    std::shared_ptr<float[]> map(new float[rows * side]);
    std::fill_n(map.get(), rows * side, kind == engine::MapKind::Scores ? -INFINITY : 0.f);
    const float* from = cells.data();
    for (std::size_t row = 0; row < rows; ++row) {
        std::copy_n(from, row % side + 1, map.get() + row * side);
        from += row % side + 1;
    }
    return map;
}

Tree toTree(const stats::PooledMaps& maps)
{
    const std::size_t bytes = tileBytes(maps.heads, maps.side);
    Tree tiles = Tree::array();
    for (const engine::LayerTiles& layer : maps.tiles)
        tiles.push_back(arrayOf(std::span(layer.get(), bytes)));
    return {{"tokens", maps.tokens},
            {"side", maps.side},
            {"signed", maps.isSigned},
            {"fulls", arrayOf(maps.fulls)},
            {"tiles", std::move(tiles)}};
}

stats::PooledMaps pooledMapsFrom(const JsonReader& reader, const HeadShape& heads)
{
    stats::PooledMaps maps;
    maps.heads = heads;
    maps.tokens = reader["tokens"].integer(1, kMostTokens);
    maps.side = reader["side"].integer(1, std::min(maps.tokens, kMostSide));
    maps.isSigned = reader["signed"].flag();
    maps.fulls = readArray<double>(reader["fulls"], static_cast<std::size_t>(heads.total()));
    const std::size_t bytes = tileBytes(heads, maps.side);
    for (const JsonReader& entry : reader["tiles"].items(static_cast<std::size_t>(heads.layers)))
        maps.tiles.push_back(tileFrom(entry, bytes));
    return maps;
}

}  // namespace hs::service
