#include "features/texts/labels.h"

#include "base/content_hash.h"
#include "base/failure.h"
#include "base/json_reader.h"
#include "base/mapped_file.h"
#include "base/untrusted_text.h"
#include "model/environment.h"

namespace hs::features {
namespace {

constexpr std::uint64_t kMostLabelBytes = std::uint64_t{64} << 20;

}  // namespace

Labels labelsFrom(std::string_view json, const std::string& what)
{
    const Json tree = parseJson(json, what);
    const JsonReader reader(tree, what, "correct it, or remove it");
    if (!tree.is_object())
        reader.refuse("an object like {\"L3F120\": \"large\"}");
    Labels labels;
    for (const auto& [name, ignored] : tree.items()) {
        const std::optional<FeatureId> feature = parseFeatureId(name);
        if (!feature)
            reader.bad("labels " + quotedName(name) + ", which is no feature like L3F120");
        std::string label = reader[name.c_str()].text("");
        if (label.size() > kLongestLabel)
            reader.bad("has a label for " + name + " that is longer than " + std::to_string(kLongestLabel) +
                       " bytes");
        if (!label.empty())
            labels[*feature] = std::move(label);
    }
    return labels;
}

Labels readLabels(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return {};
    const MappedFile mapped = MappedFile::open(file);
    if (mapped.size() > kMostLabelBytes)
        fail(ErrorCode::BadFile, file.string() + " is too large for labels; remove it.");
    return labelsFrom(mapped.text(), file.string());
}

std::string labelsJson(const Labels& labels)
{
    Json tree = Json::object();
    for (const auto& [feature, label] : labels)
        tree[toString(feature)] = label;
    return tree.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::filesystem::path ownLabelFile(const std::filesystem::path& transcoders)
{
    std::error_code problem;
    const std::filesystem::path there = std::filesystem::weakly_canonical(transcoders, problem);
    const std::string name = (problem ? transcoders : there).string();
    ContentHash hash;
    hash.add(std::as_bytes(std::span(name)));
    return model::Environment::fromProcess().ownData() / "labels" / (hash.text() + ".json");
}

}  // namespace hs::features
