#pragma once

#include "text/byte_span.h"
#include "text/vocabulary.h"

#include <functional>
#include <string_view>
#include <vector>

namespace hs::text {

/// A token of one piece of text; `bounds` are bytes of the piece.
struct PieceToken {
    TokenId id = 0;
    ByteSpan bounds;
};

/// Appends the tokens of a piece to `out`. Holds working memory, so it is for one thread.
using EncodePiece = std::function<void(std::string_view piece, std::vector<PieceToken>& out)>;

/// Turns pieces into tokens; see tokenizer.json's "model". Immutable.
class Model {
public:
    virtual ~Model() = default;
    virtual const Vocabulary& vocabulary() const = 0;
    virtual EncodePiece encoder() const = 0;
};

}  // namespace hs::text
