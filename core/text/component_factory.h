#pragma once

#include "base/json.h"
#include "text/added_tokens.h"
#include "text/decoder.h"
#include "text/model.h"
#include "text/normalizer.h"
#include "text/post_processor.h"
#include "text/pre_tokenizer.h"

#include <memory>
#include <vector>

namespace hs {

/// Each makes one component of a tokenizer.json. A component of a kind that is not known here is a
/// Failure that names it, never a guess. Null JSON gives a null component, except for the model.

std::unique_ptr<Normalizer> makeNormalizer(const Json& json);
std::unique_ptr<PreTokenizer> makePreTokenizer(const Json& json);
std::unique_ptr<Model> makeModel(const Json& json);
std::unique_ptr<PostProcessor> makePostProcessor(const Json& json);
std::unique_ptr<Decoder> makeDecoder(const Json& json);
std::vector<AddedToken> readAddedTokens(const Json& json);

}  // namespace hs
