#pragma once

#include "app/training/training_arguments.h"
#include "engine/load/model.h"
#include "model/model_files.h"
#include "text/tokenizer.h"
#include "train/batch.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace hs::app {

/// What a model learns from, and how it is described.
struct TrainingData {
    std::shared_ptr<train::BatchSource> source;
    std::string recipe;       // equal only for equal data
    std::string description;  // "the built-in tasks, 512 prompts a step"
    std::string beginnings;   // how rows begin: "each with token 1"
};

/// A tokenizer and what is written next to a model that uses it.
struct ChosenTokenizer {
    std::shared_ptr<const text::Tokenizer> tokenizer;  // none: the model has none
    std::filesystem::path folder;                      // its files are copied from here
    std::string json;                                  // or it is this tokenizer.json
};

/// A folder with a tokenizer, one of its files, or a model that has one. Throws Failure.
ChosenTokenizer chooseTokenizer(const std::string& where);

/// A model's own, which it must have. Throws Failure.
ChosenTokenizer tokenizerOf(const model::ModelFiles& files);

/// The token that starts a text; none if the tokenizer has none.
std::optional<std::int64_t> startOfText(const text::Tokenizer& tokenizer);

/// Each throws Failure if the data do not suit a model that reads plan.length tokens.
TrainingData taskData(const TrainingPlan& plan);
TrainingData textData(const std::string& file, const text::Tokenizer& tokenizer, std::int64_t vocabulary,
                      const TrainingPlan& plan);

/// Documents that the model itself writes, `millions` of tokens in all; each begins with `firstToken`.
TrainingData ownData(const engine::Model& model, double millions, std::int64_t firstToken,
                     const TrainingPlan& plan);

/// Throws Failure unless the tokenizer gives the words of the built-in tasks their ids. `name` is the
/// model's.
void requireTaskWords(const text::Tokenizer* tokenizer, const std::string& name);

}  // namespace hs::app
