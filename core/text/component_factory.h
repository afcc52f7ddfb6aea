#pragma once

#include "base/json_reader.h"
#include "text/added_tokens.h"
#include "text/bpe.h"
#include "text/decoder.h"
#include "text/normalizer.h"
#include "text/post_processor.h"
#include "text/pre_tokenizer.h"

#include <memory>
#include <vector>

namespace hs::text {

/// Each makes one component of a tokenizer.json. A component of an unknown kind throws a Failure that
/// names it. A component that the file lacks is empty, except for the model.

Normalizer makeNormalizer(const JsonReader& fields);
PreTokenizer makePreTokenizer(const JsonReader& fields);
std::unique_ptr<Model> makeModel(const JsonReader& fields);
std::unique_ptr<Model> makeBpe(const JsonReader& fields, Vocabulary vocabulary, const Bpe::Merges& merges);
PostProcessor makePostProcessor(const JsonReader& fields);
std::optional<Decoder> makeDecoder(const JsonReader& fields);
std::vector<AddedToken> readAddedTokens(const JsonReader& list);

/// Throws a Failure that names what a tokenizer needs and is not supported.
[[noreturn]] void refuseUnsupported(const JsonReader& where, const std::string& what);

}  // namespace hs::text
