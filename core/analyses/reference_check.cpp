#include "analyses/reference_check.h"

#include "base/failure.h"

#include <algorithm>
#include <cmath>

namespace hs::analyses {
namespace {

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "[" : ", ") + std::to_string(size);
    return (text.empty() ? "[" : text) + "]";
}

/// The array without leading axes of one, as a batch of one prompt has them.
std::optional<maps::Array> arrayOf(const maps::ArrayFile& file, const char* name, std::size_t axes)
{
    if (!file.has(name))
        return std::nullopt;
    maps::Array array = file.array(name);
    if (!maps::isFloat(array.type))
        fail(ErrorCode::BadFile, file.nameIn(name) + " has no floating point numbers; save it as float32.");
    while (array.shape.size() > axes && array.shape.front() == 1)
        array = array.at(0);
    return array;
}

void requireShape(const maps::Array& array, const std::vector<std::int64_t>& shape, const std::string& what)
{
    if (array.shape != shape)
        fail(ErrorCode::BadRequest, "The reference's " + what + " have the shape " + shapeText(array.shape) +
                                        ", the model's " + shapeText(shape) +
                                        "; make the reference with the same model and tokens.");
}

/// The largest of |ours − theirs| from element `first` of the array on, and where.
struct Farthest {
    double difference = 0;
    std::size_t at = 0;
};

Farthest farthest(std::span<const float> ours, const maps::Array& theirs, std::size_t first)
{
    std::vector<float> wanted(ours.size());
    maps::readFloats(theirs, first, wanted);
    Farthest found;
    for (std::size_t at = 0; at < ours.size(); ++at) {
        const double difference = std::abs(static_cast<double>(ours[at]) - wanted[at]);
        if (!(difference <= found.difference))  // a NaN is as far as can be
            found = {std::isnan(difference) ? INFINITY : difference, at};
    }
    return found;
}

ReferenceCheck::Attention compareAttention(const engine::RunResult& result, const maps::Array& wanted)
{
    const auto length = static_cast<std::int64_t>(result.tokens.size());
    requireShape(wanted, {result.heads.layers, result.heads.heads, length, length}, "attention weights");
    const std::int64_t layerSize = result.heads.heads * length * length;
    ReferenceCheck::Attention worst;
    for (int layer = 0; layer < result.heads.layers; ++layer) {
        const Farthest found = farthest({result.maps[layer].get(), static_cast<std::size_t>(layerSize)},
                                        wanted, static_cast<std::size_t>(layer * layerSize));
        if (layer > 0 && found.difference <= worst.difference)
            continue;
        const auto at = static_cast<std::int64_t>(found.at);
        worst = {found.difference,
                 {layer, static_cast<int>(at / (length * length))},
                 {static_cast<int>(at / length % length), static_cast<int>(at % length)}};
    }
    return worst;
}

ReferenceCheck::Logits compareLogits(const engine::RunResult& result, const maps::Array& wanted)
{
    const auto length = static_cast<std::int64_t>(result.tokens.size());
    const auto vocabulary = static_cast<std::int64_t>(result.logits.size()) / length;
    const bool isLastOnly = wanted.shape.size() == 1 || (wanted.shape.size() == 2 && wanted.shape[0] == 1);
    std::span<const float> ours = result.logits;
    if (isLastOnly)
        ours = ours.last(static_cast<std::size_t>(vocabulary));
    else
        requireShape(wanted, {length, vocabulary}, "logits");
    if (wanted.elements() != ours.size())
        requireShape(wanted, {vocabulary}, "logits");
    float largest = 0;
    for (const float logit : ours)
        largest = std::max(largest, std::abs(logit));
    const Farthest found = farthest(ours, wanted, 0);
    const auto at = static_cast<std::int64_t>(found.at);
    return {found.difference / std::max(largest, 1e-30f),
            static_cast<int>(isLastOnly ? length - 1 : at / vocabulary), at % vocabulary};
}

}  // namespace

Reference readReference(const std::filesystem::path& file)
{
    const std::unique_ptr<maps::ArrayFile> arrays = maps::ArrayFile::open(file);
    Reference reference;
    reference.name = file.filename().string();
    if (!arrays->has("tokens"))
        fail(ErrorCode::BadFile, arrays->path() + " has no tokens; save their ids as \"tokens\".");
    reference.tokens = arrays->numbers("tokens");
    if (reference.tokens.empty())
        fail(ErrorCode::BadFile, arrays->path() + " has an empty list of tokens; give at least one.");
    if (arrays->has("text"))
        if (const maps::Texts texts = arrays->texts("text"); texts.items.size() == 1)
            reference.text = texts.items.front();
    if (arrays->has("by"))
        if (const maps::Texts by = arrays->texts("by"); by.items.size() == 1)
            reference.by = by.items.front();
    reference.attention = arrayOf(*arrays, "attention", 4);
    reference.logits = arrayOf(*arrays, "logits", 2);
    if (!reference.attention && !reference.logits)
        fail(ErrorCode::BadFile, arrays->path() + " has neither attention nor logits to compare with; save "
                                                  "them under these names.");
    return reference;
}

double ReferenceCheck::largest() const
{
    return std::max(attention ? attention->difference : 0, logits ? logits->difference : 0);
}

Result<ReferenceCheck> checkAgainst(const Reference& reference, engine::Engine& engine,
                                    engine::RunRequest request, const Hooks& hooks)
{
    return guarded([&] {
        request.tokens = reference.tokens;
        request.capture.fullMaps = reference.attention.has_value();
        request.capture.logits = reference.logits.has_value();
        const engine::RunResult result = orThrow(engine.run(request, hooks));
        ReferenceCheck check;
        if (reference.attention)
            check.attention = compareAttention(result, *reference.attention);
        if (reference.logits)
            check.logits = compareLogits(result, *reference.logits);
        return check;
    });
}

}  // namespace hs::analyses
