#pragma once

#include <string>

namespace hs {

/// tokenizer.json of the built-in tasks, as Hugging Face reads it: words between spaces, <bos> first.
std::string taskTokenizerJson();

}  // namespace hs
