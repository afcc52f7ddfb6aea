#pragma once

#include "done.h"
#include "support/bytes_of.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace hs::test {

/// A GPT-2 config with so many layers and heads; small enough that a step takes no time.
inline std::string smallConfig(int layers, int heads, int width, int context = 64)
{
    return nlohmann::json{{"model_type", "gpt2"},
                          {"n_layer", layers},
                          {"n_head", heads},
                          {"n_embd", width},
                          {"n_positions", context},
                          {"activation_function", "gelu_new"},
                          {"tie_word_embeddings", true}}
        .dump();
}

/// A folder with a tokenizer for these words between spaces; the first starts a text, the second stands
/// for all unknown words.
inline std::filesystem::path wordTokenizer(const TempDir& folder, const Words& words)
{
    nlohmann::json vocabulary = nlohmann::json::object();
    for (std::size_t id = 0; id < words.size(); ++id)
        vocabulary[words[id]] = id;
    const nlohmann::json tokenizer = {
        {"version", "1.0"},
        {"added_tokens", nlohmann::json::array()},
        {"normalizer", nullptr},
        {"pre_tokenizer", {{"type", "WhitespaceSplit"}}},
        {"post_processor", nullptr},
        {"decoder", nullptr},
        {"model", {{"type", "WordLevel"}, {"vocab", vocabulary}, {"unk_token", words.at(1)}}}};
    folder.write("tokenizer/tokenizer.json", tokenizer.dump());
    folder.write("tokenizer/tokenizer_config.json", nlohmann::json{{"bos_token", words.at(0)}}.dump());
    return folder / "tokenizer";
}

/// Trains a tiny model on the built-in tasks, into `out`.
inline Words tinyTraining(const TempDir& folder, const std::string& out)
{
    const std::filesystem::path config = folder.write("tiny.json", smallConfig(2, 2, 16));
    return {
        "train", "--tasks",         "--config", config.string(), "--out", (folder / out).string(), "--rows",
        "12",    "--measure-every", "4",        "--device",      "cpu"};
}

}  // namespace hs::test
