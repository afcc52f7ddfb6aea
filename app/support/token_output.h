#pragma once

#include "base/json.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <vector>

namespace hs::app {

/// Tokens as every command writes them: id and text. The tokenizer may be null.
Json tokenJson(std::int64_t id, const text::Tokenizer* tokenizer);
Json tokenList(const std::vector<std::int64_t>& ids, const text::Tokenizer* tokenizer);

}  // namespace hs::app
