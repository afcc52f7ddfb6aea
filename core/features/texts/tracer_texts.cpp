#include "features/texts/tracer_texts.h"

#include "base/failure.h"
#include "base/inflate.h"
#include "base/json_reader.h"
#include "base/untrusted_text.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hs::features {
namespace {

constexpr std::size_t kMostIndexBytes = std::size_t{256} << 20;
constexpr std::size_t kMostRecordBytes = std::size_t{64} << 20;
constexpr std::size_t kMostExamples = 20;
constexpr std::size_t kMostTokens = 20;
constexpr std::size_t kTokensBefore = 16;
constexpr std::size_t kTokensAfter = 6;
constexpr int kMostTracedLayers = 1024;
constexpr const char* kFetchAgain = "fetch the transcoders again";

std::optional<int> layerOf(std::string_view name)
{
    int layer = 0;
    const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), layer);
    const bool isLayer = code == std::errc() && end == name.data() + name.size() && layer >= 0;
    return isLayer && layer < kMostTracedLayers ? std::optional(layer) : std::nullopt;
}

std::pair<std::string, std::vector<std::uint64_t>> layerIndex(const JsonReader& layer)
{
    const std::string file = layer["filename"].text();
    if (file.empty() || file.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos || file == "..")
        layer["filename"].bad("is not the name of a file in the folder");
    std::vector<std::uint64_t> offsets;
    for (const Json& offset : layer["offsets"].list()) {
        if (!offset.is_number_unsigned() ||
            (!offsets.empty() && offset.get<std::uint64_t>() < offsets.back()))
            layer["offsets"].bad("are not ascending");
        offsets.push_back(offset.get<std::uint64_t>());
    }
    return {file, std::move(offsets)};
}

/// The token of an example at which the feature fires most, with the text around it.
std::optional<FeatureToken> exampleFrom(const JsonReader& example)
{
    const Json& tokens = example["tokens"].list();
    const Json& activations = example["tokens_acts_list"].list();
    std::size_t best = 0;
    const std::size_t count = std::min(tokens.size(), activations.size());
    for (std::size_t index = 0; index < count; ++index) {
        if (!tokens[index].is_string() || !activations[index].is_number())
            example.bad("has tokens that are no texts, or activations that are no numbers");
        if (activations[index].get<double>() > activations[best].get<double>())
            best = index;
    }
    if (count == 0)
        return {};
    FeatureToken token{tokens[best].get<std::string>(), activations[best].get<double>(), {}, 0};
    for (std::size_t index = best - std::min(best, kTokensBefore);
         index < std::min(count, best + kTokensAfter + 1); ++index) {
        if (index == best)
            token.begin = token.context.size();
        token.context += tokens[index].get_ref<const std::string&>();
    }
    return token;
}

std::vector<FeatureToken> logitsFrom(const JsonReader& list)
{
    std::vector<FeatureToken> tokens;
    if (list)
        for (const JsonReader& token : list.items()) {
            if (tokens.size() == kMostTokens)
                break;
            tokens.push_back({token.text(), 0, {}, 0});
        }
    return tokens;
}

}  // namespace

std::map<int, std::pair<std::string, std::vector<std::uint64_t>>> tracerIndex(std::string_view json,
                                                                              const std::string& what)
{
    const Json tree = parseJson(json, what);
    const JsonReader reader(tree, what, kFetchAgain);
    std::map<int, std::pair<std::string, std::vector<std::uint64_t>>> index;
    if (tree.is_array()) {
        for (const JsonReader& layer : reader.items()) {
            const int number = static_cast<int>(index.size());
            if (number >= kMostTracedLayers)
                reader.bad("has more layers than any model");
            index[number] = layerIndex(layer);
        }
        return index;
    }
    if (!tree.is_object())
        reader.refuse("an object with a layer each");
    for (const auto& [name, ignored] : tree.items()) {
        const std::optional<int> number = layerOf(name);
        if (!number)
            reader.bad("names a layer " + quotedName(name));
        index[*number] = layerIndex(reader[name.c_str()]);
    }
    return index;
}

FeatureTexts tracerTexts(FeatureId feature, std::string_view record, const std::string& what)
{
    const Json tree = parseJson(record, what);
    const JsonReader reader(tree, what, kFetchAgain);
    FeatureTexts texts;
    texts.feature = feature;
    if (reader["activation_frequency"])
        texts.frequency = reader["activation_frequency"].number(0, 1);
    if (const JsonReader quantiles = reader["examples_quantiles"])
        for (const JsonReader& quantile : quantiles.items()) {
            for (const JsonReader& example : quantile["examples"].items()) {
                if (texts.firesOn.size() == kMostExamples)
                    break;
                if (const std::optional<FeatureToken> token = exampleFrom(example))
                    texts.firesOn.push_back(*token);
            }
        }
    std::ranges::stable_sort(texts.firesOn, std::ranges::greater(), &FeatureToken::value);
    texts.promotes = logitsFrom(reader["top_logits"]);
    texts.suppresses = logitsFrom(reader["bottom_logits"]);
    return texts;
}

TracerTexts::TracerTexts(std::filesystem::path folder) : m_folder(std::move(folder))
{
    const std::filesystem::path file = m_folder / "index.json.gz";
    const MappedFile packed = MappedFile::open(file);
    const std::string json = inflated(packed.bytes(), kMostIndexBytes, file.string());
    for (auto& [number, layer] : tracerIndex(json, file.string()))
        m_layers[number] = {m_folder / layer.first, std::move(layer.second), {}};
}

FeatureTexts TracerTexts::textsOf(FeatureId feature)
{
    FeatureTexts nothing;
    nothing.feature = feature;
    const auto found = m_layers.find(feature.layer);
    if (found == m_layers.end() || feature.index < 0 ||
        static_cast<std::size_t>(feature.index) + 1 >= found->second.offsets.size())
        return nothing;
    Layer& layer = found->second;
    const std::uint64_t begin = layer.offsets[static_cast<std::size_t>(feature.index)];
    const std::uint64_t end = layer.offsets[static_cast<std::size_t>(feature.index) + 1];
    if (begin == end)
        return nothing;
    if (layer.mapped.size() == 0)
        layer.mapped = MappedFile::open(layer.file);
    const std::string what = "The text of " + toString(feature) + " in " + layer.file.string();
    std::uint32_t length = 0;
    const std::span<const std::byte> bytes = layer.mapped.bytes();
    if (end > bytes.size() || end - begin < sizeof length)
        fail(ErrorCode::BadFile, what + " lies outside the file; " + kFetchAgain + ".");
    for (std::size_t byte = 0; byte < sizeof length; ++byte)
        length |= std::to_integer<std::uint32_t>(bytes[begin + byte]) << (8 * byte);
    if (length > end - begin - sizeof length)
        fail(ErrorCode::BadFile, what + " is longer than its place; " + kFetchAgain + ".");
    return tracerTexts(feature,
                       inflated(bytes.subspan(begin + sizeof length, length), kMostRecordBytes, what), what);
}

}  // namespace hs::features
