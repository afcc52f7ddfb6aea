#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/load/model.h"
#include "engine/request/run_request.h"
#include "features/coders/transcoders.h"
#include "features/texts/feature_texts.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace hs::features {

/// What features are looked for in: prompts, each a function of its number, so that none need be kept.
struct Corpus {
    std::int64_t prompts = 0;
    int length = 0;                                                 // tokens of the longest
    std::function<std::vector<std::int64_t>(std::int64_t)> prompt;  // token ids
};

struct TextsRequest {
    std::shared_ptr<const engine::Model> model;
    engine::AdapterUses adapters = {};
    std::shared_ptr<const Transcoders> coders;
    std::shared_ptr<const text::Tokenizer> tokenizer;
    std::optional<engine::ScoreGate> gate;
    Corpus corpus;
    int examples = 8;  // a feature, each from another prompt
    int before = 10;   // tokens around one
    int after = 4;
    int promoted = 6;  // and as many suppressed
};

struct CorpusTexts {
    std::vector<FeatureTexts> texts;  // of the features that fired, by id
    std::int64_t tokens = 0;          // that were read; the first of a prompt does not count
};

/// Runs the model over a corpus. Memory does not grow with it.
Result<CorpusTexts> makeTexts(const TextsRequest& asked, const Hooks& hooks = {});

}  // namespace hs::features
