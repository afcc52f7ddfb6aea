#pragma once

#include <string>

namespace hs::train {

/// The built-in tasks' tokenizer.json, as Hugging Face reads it: words between spaces, <bos> first.
std::string taskTokenizerJson();

}  // namespace hs::train
