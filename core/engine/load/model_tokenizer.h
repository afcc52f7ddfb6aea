#pragma once

#include "base/result.h"
#include "model/model_files.h"
#include "text/tokenizer.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hs::engine {

/// A model's tokenizer, if it has one.
struct ModelTokenizer {
    std::shared_ptr<const text::Tokenizer> tokenizer;
    std::function<Json()> json;      // makes the tokenizer.json that says the same; empty where a file does
    std::vector<std::string> notes;  // what the user should know
};

/// Reads the tokenizer beside the weights, or the one inside a GGUF file. A tokenizer.json beside a GGUF
/// file comes first if its tokens are the file's: it says more.
Result<ModelTokenizer> loadTokenizer(const model::ModelFiles& files);

}  // namespace hs::engine
