#pragma once

#include "text/byte_span.h"
#include "text/vocabulary.h"

#include <memory>
#include <string_view>
#include <vector>

namespace hs::text {

/// A token of one piece of text; `bounds` are bytes of the piece.
struct PieceToken {
    TokenId id = 0;
    ByteSpan bounds;
};

/// Encodes pieces one after the other. Holds working memory, so it is for one thread.
class PieceEncoder {
public:
    virtual ~PieceEncoder() = default;

    /// Appends the tokens of `piece` to `out`.
    virtual void encode(std::string_view piece, std::vector<PieceToken>& out) = 0;
};

/// Turns pieces into tokens; see tokenizer.json's "model". Immutable.
class Model {
public:
    virtual ~Model() = default;
    virtual const Vocabulary& vocabulary() const = 0;
    virtual std::unique_ptr<PieceEncoder> encoder() const = 0;
};

}  // namespace hs::text
