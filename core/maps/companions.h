#pragma once

#include "maps/array_file.h"
#include "maps/block.h"

namespace hs::maps {

/// Whether a letter may stand between a block's name and that of an array of it: "encoder.tokens".
constexpr bool isSeparator(char letter)
{
    return letter == '.' || letter == '_' || letter == '/';
}

/// Reads what a file says of a block besides its attention into `facts`, whose shape is known: tokens, names,
/// patches, the picture. Each is looked for under the block's name first, then under its own alone; the tokens of
/// cross-attention are also those of the decoder (queries) and of the encoder (keys). Where no tokens fit, they
/// are called by their positions. Throws Failure for what is there under the block's name and does not fit.
void readCompanions(const ArrayFile& file, Block::Facts& facts);

}  // namespace hs::maps
