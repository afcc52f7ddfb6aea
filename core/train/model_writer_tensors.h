#pragma once

#include "base/json.h"
#include "engine/load/weights_tensors.h"
#include "model/arch_spec.h"
#include "model/dtype.h"

#include <filesystem>
#include <string>

namespace hs::train {

/// What makes a folder a model besides its weights.
struct ModelPapers {
    Json config;                            // as config.json holds it
    std::filesystem::path tokenizerFolder;  // whose tokenizer files are copied; empty: none
    std::string tokenizerJson;              // written instead, if not empty
};

/// Writes config.json, with the gate, and the tokenizer's files, in a folder that it makes. Throws Failure.
void writePapers(const std::filesystem::path& folder, const model::ArchSpec& spec, model::DType dtype,
                 const ModelPapers& papers);

/// Writes a model in Hugging Face layout. Each file appears whole, the weights last. Throws Failure.
void writeModel(const std::filesystem::path& folder, const model::ArchSpec& spec,
                const engine::ModelWeights& weights, model::DType dtype, const ModelPapers& papers);

}  // namespace hs::train
