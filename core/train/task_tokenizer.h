#pragma once

#include <string>

namespace hs::train {

/// tokenizer.json of the built-in tasks, as Hugging Face reads it: words between spaces, <bos> first.
std::string taskTokenizerJson();

}  // namespace hs::train
