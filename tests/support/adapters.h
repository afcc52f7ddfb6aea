#pragma once

#include "base/json.h"
#include "engine/load/adapter.h"
#include "engine/load/tensor_source_tensors.h"
#include "model/adapter/adapter_files.h"
#include "model/adapter/linear_modules.h"
#include "model/safetensors_writer.h"
#include "support/models.h"
#include "support/temp_dir.h"

#include <ATen/CPUGeneratorImpl.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace hs::test {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

inline void writeTensors(const std::filesystem::path& file, const NamedTensors& tensors)
{
    std::vector<model::TensorSpec> contents;
    for (const auto& [name, tensor] : tensors)
        contents.push_back({name, model::DType::F32, tensor.sizes().vec()});
    model::SafetensorsWriter writer = model::SafetensorsWriter::create(file, contents);
    for (const auto& [name, tensor] : tensors) {
        const at::Tensor plain = tensor.to(at::kFloat).contiguous();
        writer.write(name, {static_cast<const std::byte*>(plain.data_ptr()), plain.nbytes()});
    }
    writer.finish();
}

/// Random factors for the modules of a model that `isMeant`, under PEFT's names.
inline NamedTensors
randomFactors(const model::ArchSpec& spec, std::uint64_t seed, int rank = 3,
              const std::function<bool(int layer, const model::LinearModule&)>& isMeant = {})
{
    const at::Generator generator = at::detail::createCPUGenerator(seed);
    NamedTensors factors;
    const auto modules = model::linearModules(spec);
    for (int layer = 0; layer < spec.layers; ++layer)
        for (const model::LinearModule& module : modules[layer]) {
            if (isMeant && !isMeant(layer, module))
                continue;
            const std::string name = "base_model.model." + model::fullTensorName(spec, module.name);
            factors.emplace_back(name + ".lora_A.weight",
                                 at::empty({rank, module.in}).normal_(0, 0.2, generator));
            factors.emplace_back(name + ".lora_B.weight",
                                 at::empty({module.out, rank}).normal_(0, 0.05, generator));
        }
    return factors;
}

inline Json adapterConfig(int rank = 3, double alpha = 4)
{
    return {{"peft_type", "LORA"}, {"r", rank}, {"lora_alpha", alpha}, {"bias", "none"}};
}

/// A folder as PEFT saves it.
inline std::filesystem::path writeAdapterFolder(const std::filesystem::path& folder, const Json& config,
                                                const NamedTensors& factors)
{
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "adapter_config.json") << config.dump(2);
    writeTensors(folder / "adapter_model.safetensors", factors);
    return folder;
}

inline std::shared_ptr<const engine::Adapter> openAdapter(const std::filesystem::path& folder,
                                                          const engine::Model& base)
{
    return value(engine::loadAdapter(value(model::locateAdapter(folder.string(), {})), base));
}

/// Adapters merged into a model's own files, as PEFT merges them: each with how much its B · A counts.
inline std::shared_ptr<const engine::Model>
openMerged(const std::string& golden, const std::vector<std::pair<NamedTensors, double>>& adapters)
{
    const model::ModelFiles files = value(model::locateModel((goldenModels() / golden).string(), {}));
    const auto source = engine::openSource(files);
    NamedTensors tensors;
    for (const std::string& name : source->names()) {
        if (source->shape(name).empty())  // a number that old checkpoints carry along
            continue;
        at::Tensor whole = at::empty(source->shape(name), at::kFloat);
        source->read(name, 0, whole);
        const std::string bare = model::bareTensorName(name);
        for (const auto& [factors, scale] : adapters)
            for (std::size_t index = 0; index < factors.size(); index += 2) {
                std::string module = factors[index].first.substr(std::string("base_model.model.").size());
                module.erase(module.rfind(".lora_A"));
                if (bare != model::bareTensorName(module) + ".weight")
                    continue;
                const at::Tensor change = at::mm(factors[index + 1].second, factors[index].second);
                whole.add_(change.sizes() == whole.sizes() && !golden.starts_with("gpt2") ? change
                                                                                          : change.t(),
                           scale);
            }
        tensors.emplace_back(name, whole);
    }
    const TempDir folder;
    std::filesystem::copy_file(files.config, folder / "config.json");
    writeTensors(folder / "model.safetensors", tensors);
    return openModel(folder.path());
}

/// Golden models with a config.json of their own, whose files adapters can be merged into.
inline std::vector<std::string> mergeableNames()
{
    std::vector<std::string> names = goldenNames();
    std::erase_if(names, [](const std::string& name) {
        return value(model::locateModel((goldenModels() / name).string(), {})).config.empty();
    });
    return names;
}

}  // namespace hs::test
