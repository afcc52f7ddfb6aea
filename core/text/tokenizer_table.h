#pragma once

#include "base/json.h"
#include "text/bpe.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hs::text {

/// What a GGUF file says about its tokenizer. It has the vocabulary, and instead of the rules for cutting
/// text only the name of a known set of rules.
struct TokenizerTable {
    std::string kind;          // "gpt2": bytes as symbols, with merges; "llama": SentencePiece, with scores
    std::string rules;         // "llama-bpe", "qwen2"; empty in old files
    std::string architecture;  // of the model, for files that name no rules
    std::vector<std::string_view> tokens;  // [id]
    std::vector<std::int64_t> types;       // [id], see TokenKind; empty: all normal
    std::vector<float> scores;             // [id], "llama" only; the highest joins first
    std::vector<std::string_view> merges;  // "left right", in order
    std::string chatTemplate;
    std::optional<std::int64_t> bos, eos, unknown;
    std::optional<bool> addsBos, addsEos, addsSpace;
};

/// The tokenizer.json that such a file was made from, as far as its tokens go; with views into the table's
/// texts. Tokens and merges stay lists until someone wants the JSON: there are hundreds of thousands.
struct DescribedTokenizer {
    Json rules;                            // all but the tokens and merges of its model
    std::vector<std::string_view> tokens;  // [id]; empty: not in use
    Bpe::Merges merges;
    std::deque<std::string> ownTexts;  // of tokens that are not written as in the table
    std::optional<std::int64_t> bos;
    std::string chatTemplate;
    std::vector<std::string> notes;  // what the user should know

    /// The whole.
    Json json() const;
};

/// `file` names it in errors. Throws Failure, also for rules that are not known: guessing them would cut
/// text wrongly.
DescribedTokenizer describeTokenizer(const TokenizerTable& table, const std::string& file);

}  // namespace hs::text
