#include "fuzz/target.h"

#include "base/failure.h"
#include "base/json.h"
#include "features/coders/layouts.h"
#include "model/tensor_info.h"
#include "support/temp_dir.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace hs::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 24;
constexpr std::uint64_t kMostData = 1 << 16;
constexpr int kLayers = 2;
constexpr int kWidth = 4;

std::string_view takeLine(std::string_view& text)
{
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

/// A name below the folder.
bool isPlain(std::string_view name)
{
    return !name.empty() && name.size() < 80 && !name.starts_with('/') && !name.ends_with('/') &&
           name.find("..") == std::string_view::npos && name.find("//") == std::string_view::npos &&
           std::ranges::count(name, '/') < 4 &&
           std::ranges::all_of(
               name,
               [](char letter) {
                   return std::isalnum(static_cast<unsigned char>(letter)) ||
                          std::string_view("_.-/").find(letter) != std::string_view::npos;
               });
}

/// A sound safetensors file with tensors of these names, types and shapes: "W_enc F32 8 4". The header itself has
/// a target of its own. None where one would be large.
std::optional<std::string> tensorsOf(std::string_view lines)
{
    Json header = Json::object();
    std::uint64_t end = 0;
    while (!lines.empty()) {
        std::string_view line = takeLine(lines);
        std::vector<std::string> words;
        while (!line.empty() && words.size() < 8) {
            const std::size_t length = std::min(line.find(' '), line.size());
            words.emplace_back(line.substr(0, length));
            line.remove_prefix(std::min(length + 1, line.size()));
        }
        const auto type = words.size() > 1 ? model::dtypeFromSafetensors(words[1]) : std::nullopt;
        if (!type || header.contains(words[0]))
            return {};
        std::vector<std::int64_t> shape;
        for (std::size_t axis = 2; axis < words.size(); ++axis) {
            shape.push_back(0);
            std::from_chars(words[axis].data(), words[axis].data() + words[axis].size(), shape.back());
        }
        const auto bytes = model::tensorBytes(*type, shape);
        if (!bytes || *bytes > kMostData || end + *bytes > kMostData)
            return {};
        header[words[0]] = {{"dtype", words[1]}, {"shape", shape}, {"data_offsets", {end, end + *bytes}}};
        end += *bytes;
    }
    const std::string text = header.dump(-1, ' ', true, Json::error_handler_t::replace);
    const std::uint64_t length = text.size();
    std::string content(reinterpret_cast<const char*>(&length), sizeof length);
    content += text;
    content.resize(content.size() + end, '\x3c');  // small numbers in every type
    return content;
}

/// Files of an input: "@layer_0.safetensors", then lines that say what is in it; other files as they are.
bool writeFiles(const test::TempDir& folder, std::string_view input)
{
    std::size_t files = 0;
    while (!input.empty()) {
        const std::string_view name = takeLine(input);
        if (!name.starts_with('@') || !isPlain(name.substr(1)) || ++files > kMostFiles)
            return false;
        const std::size_t end = std::min(input.find("\n@"), input.size());
        const std::string_view content = input.substr(0, end);
        input.remove_prefix(std::min(end + 1, input.size()));
        const std::optional<std::string> bytes =
            name.ends_with(".safetensors") ? tensorsOf(content) : std::string(content);
        if (!bytes)
            return false;
        try {
            folder.write(name.substr(1), *bytes);
        } catch (const fs::filesystem_error&) {  // a file that is a folder, too
            return false;
        }
    }
    return true;
}

void requireRows(const features::MatrixView& view)
{
    std::vector<float> row(static_cast<std::size_t>(view.columnStride == 1 ? view.columns : view.rows));
    const std::int64_t stride = view.columnStride == 1 ? view.rowStride : view.columnStride;
    const std::int64_t last = view.columnStride == 1 ? view.rows - 1 : view.columns - 1;
    require(std::isfinite(view.scale), "scales are numbers");
    for (const std::int64_t index : {std::int64_t{0}, last}) {
        const auto first = static_cast<std::size_t>(view.first + index * stride);
        require(first + row.size() <= view.array.elements(), "rows lie in their file");
        maps::readExactly(view.array, first, row);
    }
}

void requireStack(const features::Stack& stack, std::int64_t rows, std::int64_t columns)
{
    std::int64_t sum = 0;
    for (const features::MatrixView& view : stack) {
        require(view.columns == columns, "parts have the same columns");
        if (view.rowStride != 0)
            requireRows(view);
        sum += view.rows;
    }
    require(stack.empty() || sum == rows, "parts make up the whole");
}

void check(std::string_view input)
{
    const test::TempDir folder;
    if (!writeFiles(folder, input))
        return;
    model::ArchSpec spec;
    spec.layers = kLayers;
    spec.hidden = kWidth;
    const auto plan = guarded([&] { return features::planTranscoders(folder.path(), spec); });
    if (!plan)
        return requireRefusal(plan.error());
    const features::CoderFacts& facts = plan->facts;
    require(facts.layers == kLayers && facts.width == kWidth && facts.features > 0, "a set fits the model");
    require(static_cast<int>(plan->layers.size()) == kLayers, "every layer has a plan");
    for (std::size_t index = 0; index < plan->layers.size(); ++index) {
        const features::LayerPlan& layer = plan->layers[index];
        require(!layer.encoder.empty(), "every layer has an encoder");
        require(layer.threshold.empty() == (facts.firing != features::Firing::JumpRelu),
                "thresholds are there where they are used");
        require(!layer.decoders.empty() && layer.decoders.size() <= plan->layers.size() - index,
                "a layer writes into those from its own on");
        requireStack(layer.encoder, facts.features, kWidth);
        for (const features::Stack& stack : {layer.encoderBias, layer.threshold, layer.shift, layer.gain})
            requireStack(stack, facts.features, 1);
        for (const features::Stack& decoder : layer.decoders)
            requireStack(decoder, facts.features, kWidth);
        for (const features::MatrixView& bias : layer.decoderBias)
            requireStack({bias}, kWidth, 1);
        for (const features::MatrixView& skip : layer.skip)
            requireStack({skip}, kWidth, kWidth);
    }
}

const Target kTarget("transcoders", check);

}  // namespace
}  // namespace hs::fuzz
