#pragma once

#include "train/adapter_tensors.h"
#include "train/model_writer_tensors.h"

namespace hs::train {

/// Writes an adapter in PEFT's layout, beside a config.json with the gate and the tokenizer. `base` is where
/// PEFT looks for the model that it changes. Each file appears whole, the weights last. Throws Failure.
void writeAdapter(const std::filesystem::path& folder, const model::ArchSpec& spec,
                  const LoraAdapter& adapter, const at::Tensor& vector, const std::string& base,
                  const ModelPapers& papers);

}  // namespace hs::train
