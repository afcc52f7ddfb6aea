#pragma once

#include "base/json.h"
#include "text/blocks.h"

#include <cstdint>
#include <vector>

namespace hs::app {

/// Tokens as every command writes them: id and text. The tokenizer may be null.
Json tokenJson(std::int64_t id, const text::Tokenizer* tokenizer);
Json tokenList(const std::vector<std::int64_t>& ids, const text::Tokenizer* tokenizer);

/// A block by its name, and its first and last token.
Json blockJson(const text::Blocks& blocks, int block);
Json blockList(const text::Blocks& blocks);

}  // namespace hs::app
