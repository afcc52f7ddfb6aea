#include "train/training_memory.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "model/weight_plan.h"
#include "train/adapter_tensors.h"
#include "train/fused_ops_tensors.h"
#include "train/parameters_tensors.h"

#include <algorithm>
#include <limits>

namespace hs::train {
namespace {

using Bytes = std::uint64_t;

// Maps of weights that torch's own operations keep of each head: of softmax and of gates, before and after.
constexpr Bytes kPlainMaps = 8;

/// Sums that saturate: shapes come from files.
Bytes product(Bytes a, Bytes b)
{
    return b > 0 && a > std::numeric_limits<Bytes>::max() / 4 / b ? std::numeric_limits<Bytes>::max() / 4
                                                                  : a * b;
}

/// How many numbers are trained, and how many of the model's tensors an adapter makes anew.
struct TrainedNumbers {
    Bytes trained = 0;
    Bytes fixed = 0;        // beside trained weights
    Bytes made = 0;         // in all layers
    Bytes madeOfLayer = 0;  // in one
    Bytes largestMade = 0;  // of one tensor
};

TrainedNumbers trainedNumbers(const model::ArchSpec& spec, const Economy& economy)
{
    TrainedNumbers numbers;
    if (!economy.adapter) {
        numbers.trained = static_cast<Bytes>(trainedCount(spec, economy.part));
        numbers.fixed = static_cast<Bytes>(model::parameterCount(spec)) - numbers.trained;
        return numbers;
    }
    for (const std::vector<model::LinearModule>& layer : adapterTargets(spec, *economy.adapter)) {
        Bytes made = 0;
        for (const model::LinearModule& target : layer) {
            const Bytes elements = product(target.out, target.in);
            numbers.trained += static_cast<Bytes>(economy.adapter->rank) * (target.out + target.in);
            numbers.largestMade = std::max(numbers.largestMade, elements);
            made += elements;
        }
        numbers.made += made;
        numbers.madeOfLayer = std::max(numbers.madeOfLayer, made);
    }
    return numbers;
}

/// Numbers of a token that a layer keeps for its gradient: its input, what each product multiplies, and what
/// attention and activation need again.
Bytes keptByLayer(const model::ArchSpec& spec)
{
    const auto hidden = static_cast<Bytes>(spec.hidden);
    const auto queries = static_cast<Bytes>(spec.queryWidth());
    const auto keys = static_cast<Bytes>(spec.kvWidth());
    Bytes kept = 4 * hidden + 2 * (queries + keys) + (spec.hasGatedMlp ? 3 : 2) * Bytes(spec.intermediate);
    if (spec.normAfter)
        kept += 2 * hidden;
    if (spec.qkNorm != model::QkNorm::None)
        kept += queries + keys;
    if (spec.clipQkv)
        kept += queries + 2 * keys;
    return kept;
}

/// Numbers of a token in the gradients that one layer's backward pass has in memory together.
Bytes gradientsOfLayer(const model::ArchSpec& spec)
{
    return 2 * Bytes(spec.hidden) + (spec.hasGatedMlp ? 3 : 2) * Bytes(spec.intermediate);
}

Bytes activationBytes(const model::ArchSpec& spec, const TrainingSize& size)
{
    const Bytes tokens = product(size.rows, size.length);
    const bool isFused = size.isFused && canFuseAttention(spec);
    const Bytes maps =
        isFused ? 0 : product(product(tokens, size.length), spec.heads * kPlainMaps * sizeof(float));
    const Bytes ofLayer = product(tokens, keptByLayer(spec) * model::byteSize(size.computedIn)) + maps;
    if (!size.economy.recomputes)
        return product(ofLayer, spec.layers);
    const Bytes inputs = product(tokens, Bytes(spec.layers) * spec.hidden * model::byteSize(size.computedIn));
    return inputs + ofLayer + product(tokens, gradientsOfLayer(spec) * model::byteSize(size.computedIn));
}

struct Remedy {
    std::string option;
    TrainingSize size;
};

/// What saves memory and is not in use yet, each by itself, and last all together.
std::vector<Remedy> remedies(const model::ArchSpec& spec, const TrainingSize& size)
{
    std::vector<Remedy> found;
    Remedy all{"", size};
    const auto add = [&](const std::string& option, auto change) {
        Remedy remedy{option, size};
        change(remedy.size);
        change(all.size);
        all.option += (all.option.empty() ? "" : " ") + option;
        found.push_back(std::move(remedy));
    };
    const Economy& economy = size.economy;
    const bool isWide = std::min({spec.hidden, spec.kvWidth(), spec.intermediate}) >= AdapterOptions{}.rank;
    if (size.distils && !economy.adapter && isWide)
        add("--lora " + std::to_string(AdapterOptions{}.rank),
            [](TrainingSize& changed) { changed.economy.adapter = AdapterOptions{}; });
    if (!economy.recomputes)
        add("--checkpoint-activations", [](TrainingSize& changed) { changed.economy.recomputes = true; });
    if (economy.states == model::DType::F32)
        add("--optimizer-states bf16",
            [](TrainingSize& changed) { changed.economy.states = model::DType::BF16; });
    if (size.rows > 1) {
        const std::int64_t fewer = std::max<std::int64_t>(1, size.rows / 4);
        add("--rows " + std::to_string(fewer), [&](TrainingSize& changed) { changed.rows = fewer; });
    }
    if (found.size() > 1)
        found.push_back(std::move(all));
    return found;
}

/// "--lora 16 (12 GB)", for those that fit; where only all together do, that.
std::string whatFits(const model::ArchSpec& spec, const TrainingSize& size, Bytes room)
{
    std::string list;
    for (const Remedy& remedy : remedies(spec, size)) {
        const Bytes needed = forecastTraining(spec, remedy.size).total();
        const bool isAll = remedy.option.find(" --") != std::string::npos;
        if (needed <= room && (list.empty() || !isAll))
            list += (list.empty() ? "" : ", ") + remedy.option + " (" + formatBytes(needed) + ")";
    }
    return list;
}

}  // namespace

Bytes TrainingForecast::total() const
{
    Bytes sum = 0;
    for (const MemoryPart& part : parts)
        sum += part.bytes;
    return sum;
}

Bytes TrainingForecast::of(const std::string& name) const
{
    const auto part = std::ranges::find(parts, name, &MemoryPart::name);
    return part == parts.end() ? 0 : part->bytes;
}

TrainingForecast forecastTraining(const model::ArchSpec& spec, const TrainingSize& size)
{
    const Bytes wide = sizeof(float);
    const Bytes number = model::byteSize(size.computedIn);
    const bool isNarrow = number < wide;
    const auto all = static_cast<Bytes>(model::parameterCount(spec));
    const TrainedNumbers numbers = trainedNumbers(spec, size.economy);
    const bool hasAdapter = size.economy.adapter.has_value();
    const Bytes tokens = product(size.rows, size.length);

    TrainingForecast forecast;
    const auto add = [&](const char* name, Bytes bytes) {
        if (bytes > 0)
            forecast.parts.push_back({name, bytes});
    };
    if (size.distils)
        forecast.loaded = product(all, hasAdapter ? number : wide);
    add("dense model", forecast.loaded);
    // An adapter's teacher is its base, and in float the dense model is its own.
    add("teacher", size.distils && !hasAdapter && isNarrow ? product(all, number) : 0);
    const Bytes made = size.economy.recomputes ? 2 * numbers.madeOfLayer : numbers.made;
    add("weights", product(numbers.trained, wide + (isNarrow ? number : 0)) +
                       product(numbers.fixed, isNarrow ? number : 0) + product(made, number));
    add("moments", product(numbers.trained, 2 * model::byteSize(size.economy.states)));
    add("average", product(numbers.trained, wide));
    const Bytes activations = activationBytes(spec, size);
    const Bytes copies = (size.distils ? 3 : 2) + (spec.logitCap ? 1 : 0);
    const Bytes logits = product(tokens, copies * spec.vocabulary * (size.isFused ? number : 2 * wide));
    // Parts of the gradient come as activations go, and are joined when these are gone.
    const Bytes gradient = product(numbers.trained, number);
    const Bytes joined = 2 * gradient > activations + logits ? 2 * gradient - activations - logits : 0;
    add("gradient", std::max(gradient, joined) + product(2 * numbers.largestMade, number));
    add("activations", activations);
    add("logits", logits);
    return forecast;
}

std::string describeForecast(const TrainingForecast& forecast, engine::Device device)
{
    std::string parts;
    for (const MemoryPart& part : forecast.parts)
        parts += (parts.empty() ? "" : ", ") + part.name + " " + formatBytes(part.bytes);
    const std::optional<Bytes> available = engine::availableMemory(device);
    return "Memory: about " + formatBytes(forecast.total()) +
           (available ? " of " + formatBytes(*available + forecast.loaded) : "") + " on " + toString(device) +
           " (" + parts + ").";
}

void requireTrainingMemory(const model::ArchSpec& spec, const TrainingSize& size, engine::Device device)
{
    const std::optional<Bytes> available = engine::availableMemory(device);
    const TrainingForecast forecast = forecastTraining(spec, size);
    if (!available || forecast.total() <= *available + forecast.loaded)
        return;
    const Bytes room = *available + forecast.loaded;
    const std::string fitting = whatFits(spec, size, room);
    fail(ErrorCode::TooLarge, "This training needs " + formatBytes(forecast.total()) + " on " +
                                  toString(device) + ", where it can have " + formatBytes(room) + "; " +
                                  (fitting.empty() ? "take a smaller model, a shorter --length or another "
                                                     "--device."
                                                   : "what would fit: " + fitting + "."));
}

void requireOneDevice(const engine::Model& model)
{
    if (model.facts().placement.isSplit())
        fail(ErrorCode::BadRequest, model.facts().name + " is spread over " +
                                        toString(model.facts().placement) +
                                        ", but a training needs it on one device; name one --device.");
}

}  // namespace hs::train
