#include "engine/request/run_cost.h"

#include "model/weight_plan.h"
#include "stats/head_summary.h"

#include <vector>

namespace hs::engine {
namespace {

constexpr double kFlopPerProduct = 2;  // multiply and add

/// The cost of one layer over all tokens.
struct LayerCost {
    double weights = 0;
    double attention = 0;  // FLOP
    double mlp = 0;        // FLOP
};

std::vector<LayerCost> costOfLayers(const model::ArchSpec& spec, std::int64_t tokens)
{
    std::vector<LayerCost> layers(static_cast<std::size_t>(spec.layers));
    for (const model::PlannedTensor& planned : model::planWeights(spec)) {
        if (planned.role < model::Role::AttentionNormWeight)
            continue;
        LayerCost& layer = layers[static_cast<std::size_t>(planned.layer)];
        const auto elements = static_cast<double>(planned.elements());
        layer.weights += elements;
        const double products = kFlopPerProduct * static_cast<double>(tokens) * elements;
        if (planned.role == model::Role::QkvWeight || planned.role == model::Role::OutWeight)
            layer.attention += products;
        else if (planned.role == model::Role::UpWeight || planned.role == model::Role::DownWeight)
            layer.mlp += products;
    }
    for (int index = 0; index < spec.layers; ++index) {
        const auto cells = static_cast<double>(stats::visibleCells(tokens, spec.windows[index]));
        // Each cell costs a score and a weighted value.
        layers[index].attention += 2 * kFlopPerProduct * cells * spec.queryWidth();
    }
    return layers;
}

double unembedding(const model::ArchSpec& spec)
{
    return static_cast<double>(spec.vocabulary) * spec.hidden;
}

}  // namespace

RunCost costOfRun(const model::ArchSpec& spec, std::uint64_t bytesPerWeight, std::int64_t tokens, int first)
{
    double weights = unembedding(spec);
    RunCost cost;
    cost.flop = kFlopPerProduct * unembedding(spec);
    const std::vector<LayerCost> layers = costOfLayers(spec, tokens);
    for (int layer = first; layer < spec.layers; ++layer) {
        weights += layers[layer].weights;
        cost.flop += layers[layer].attention + layers[layer].mlp;
    }
    cost.bytes = weights * static_cast<double>(bytesPerWeight);
    return cost;
}

RunCost costOfSweep(const model::ArchSpec& spec, std::uint64_t bytesPerWeight, std::int64_t tokens)
{
    RunCost cost = costOfRun(spec, bytesPerWeight, tokens, 0);
    const std::vector<LayerCost> layers = costOfLayers(spec, tokens);
    double after = kFlopPerProduct * static_cast<double>(tokens) * unembedding(spec);
    for (int layer = spec.layers - 1; layer >= 0; --layer) {
        after += layers[layer].mlp;
        cost.flop += spec.heads * after;
        after += layers[layer].attention;
    }
    return cost;
}

}  // namespace hs::engine
