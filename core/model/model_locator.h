#pragma once

#include "base/result.h"
#include "model/environment.h"
#include "model/model_files.h"

#include <string_view>

namespace hs::model {

/// Finds the model the user means: a Hugging Face folder, a file in one, a state dict, a GGUF file or any
/// part of a split one, an entry or a snapshot of the download cache, the name of a model in that cache
/// ("gpt2", "org/name") or in Ollama's store ("ollama:llama3.2"), or one of the demo pair ("demo:dense",
/// "demo:sparse").
/// A model that exists but cannot be used is refused, with what to do instead.
Result<ModelFiles> locateModel(std::string_view where,
                               const Environment& environment = Environment::fromProcess());

}  // namespace hs::model
