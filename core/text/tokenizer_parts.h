#pragma once

#include "base/json.h"
#include "text/added_tokens.h"
#include "text/decoder.h"
#include "text/model.h"
#include "text/normalizer.h"
#include "text/post_processor.h"
#include "text/pre_tokenizer.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace hs::text {

struct DescribedTokenizer;

/// What a tokenizer is made of, in the order a text goes through it. All but model and added tokens
/// may be absent. Nothing in it changes, so several threads may use it at once.
struct TokenizerParts {
    Normalizer normalizer;
    PreTokenizer preTokenizer;
    std::unique_ptr<Model> model;
    PostProcessor postProcessor;
    std::optional<Decoder> decoder;
    std::unique_ptr<AddedTokens> addedTokens;
    std::optional<TokenId> bosId;
    std::string chatTemplate;

    /// Added tokens first, then the model's. Empty for an id not in use.
    std::string_view textOf(TokenId id) const;
    std::optional<TokenId> idOf(std::string_view text) const;
};

/// The parts that a tokenizer.json describes, without the files beside it. Throws Failure.
TokenizerParts makeTokenizerParts(const Json& json);

/// The same for what a GGUF file describes. Throws Failure.
TokenizerParts partsOf(const DescribedTokenizer& described);

/// Reads the files; see Tokenizer::load. Throws Failure.
TokenizerParts loadTokenizerParts(const std::filesystem::path& folderOrFile);

}  // namespace hs::text
