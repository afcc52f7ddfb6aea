#include "engine/load/model_copy.h"

#include "engine/device/device_tensors.h"
#include "engine/load/weights_tensors.h"
#include "engine/request/forecast.h"

namespace hs::engine {
namespace {

model::ArchSpec firstLayers(model::ArchSpec spec, int layers)
{
    spec.layers = layers;
    spec.windows.resize(static_cast<std::size_t>(layers));
    return spec;
}

ModelWeights::Table copied(const ModelWeights::Table& table, at::Device device)
{
    ModelWeights::Table copy;
    for (std::size_t role = 0; role < table.size(); ++role)
        if (table[role].defined())
            copy[role] = table[role].to(device);
    return copy;
}

}  // namespace

std::shared_ptr<const Model> copyModel(const Model& model, Device device, int layers, const Hooks& hooks)
{
    Model::Facts facts = model.facts();
    facts.spec = firstLayers(facts.spec, layers);
    facts.placement.parts = {{device, 0}};
    facts.device = device;
    facts.weightBytes = copiedBytes(model, layers);
    facts.notes.clear();
    const at::Device target = torchDevice(device);
    auto weights = std::make_unique<ModelWeights>();
    weights->shared = copied(model.weights().shared, target);
    for (int layer = 0; layer < layers; ++layer) {
        hooks.throwIfCancelled();
        hooks.report(layer, layers);
        weights->layers.push_back(copied(model.weights().layers[static_cast<std::size_t>(layer)], target));
    }
    if (facts.spec.isTied)
        weights->shared[static_cast<int>(model::Role::Unembedding)] = (*weights)[model::Role::Embedding];
    return std::make_shared<const Model>(std::move(facts), std::move(weights));
}

std::uint64_t copiedBytes(const Model& model, int layers)
{
    return forecastLoad(firstLayers(model.spec(), layers), model::byteSize(model.facts().dtype)).weights;
}

}  // namespace hs::engine
