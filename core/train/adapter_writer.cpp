#include "train/adapter_writer_tensors.h"

#include "base/atomic_file.h"
#include "engine/load/arrangement_tensors.h"
#include "model/safetensors_writer.h"

#include <set>

namespace hs::train {
namespace {

/// The name behind the layer's number, "attn.c_attn" of "h.0.attn.c_attn": the same in all layers, and PEFT
/// takes it for no other module.
std::string nameInLayer(const std::string& name)
{
    return name.substr(name.find('.', name.find('.') + 1) + 1);
}

Json adapterConfig(const model::ArchSpec& spec, const LoraAdapter& adapter, const std::string& base)
{
    std::set<std::string> modules;
    for (const model::LinearModule& target : adapter.targets().front())
        modules.insert(nameInLayer(target.name));
    return {{"peft_type", "LORA"},
            {"task_type", "CAUSAL_LM"},
            {"base_model_name_or_path", base},
            {"r", adapter.options().rank},
            {"lora_alpha", adapter.options().alpha},
            {"lora_dropout", 0.0},
            {"target_modules", modules},
            {"fan_in_fan_out", spec.names == model::NameStyle::Gpt2},  // its Conv1D holds [in, out]
            {"bias", "none"},
            {"modules_to_save", nullptr},
            {"init_lora_weights", true},
            {"inference_mode", true}};
}

}  // namespace

void writeAdapter(const std::filesystem::path& folder, const model::ArchSpec& spec,
                  const LoraAdapter& adapter, const at::Tensor& vector, const std::string& base,
                  const ModelPapers& papers)
{
    writePapers(folder, spec, model::DType::F32, papers);
    writeFile(folder / "adapter_config.json", adapterConfig(spec, adapter, base).dump(2) + "\n");

    std::vector<std::pair<std::string, at::Tensor>> tensors;
    const std::vector<Pieces> pieces = adapter.cut(vector.to(at::kCPU));
    for (std::size_t layer = 0; layer < adapter.targets().size(); ++layer)
        for (std::size_t index = 0; index < adapter.targets()[layer].size(); ++index) {
            const model::LinearModule& target = adapter.targets()[layer][index];
            const std::string name = "base_model.model." + model::fullTensorName(spec, target.name);
            const int rank = adapter.options().rank;
            const at::Tensor b = pieces[1 + layer][2 * index + 1].view({target.out, rank});
            // PEFT's rows are the file's; its columns are the same, even where the file holds [in, out].
            const bool isPerHead = target.arrangement == model::Arrangement::PerHeadQkv;
            tensors.emplace_back(name + ".lora_A.weight",
                                 pieces[1 + layer][2 * index].view({rank, target.in}));
            tensors.emplace_back(name + ".lora_B.weight",
                                 isPerHead ? engine::rearrange(b, target.arrangement, spec) : b);
        }
    std::vector<model::TensorSpec> contents;
    for (const auto& [name, tensor] : tensors)
        contents.push_back({name, model::DType::F32, tensor.sizes().vec()});
    model::SafetensorsWriter writer =
        model::SafetensorsWriter::create(folder / "adapter_model.safetensors", contents, {{"format", "pt"}});
    for (const auto& [name, tensor] : tensors)
        writer.write(name, {static_cast<const std::byte*>(tensor.data_ptr()), tensor.nbytes()});
    writer.finish();
}

}  // namespace hs::train
