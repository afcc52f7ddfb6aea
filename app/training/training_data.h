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
#include <vector>

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

/// The one given, else the model's own, if it has one. Throws Failure.
ChosenTokenizer tokenizerFor(const std::string& given, const model::ModelFiles& files);

/// The token that starts a text; none if the tokenizer has none.
std::optional<std::int64_t> startOfText(const text::Tokenizer& tokenizer);

/// Throws Failure if the tasks do not suit a model that reads plan.length tokens.
TrainingData taskData(const TrainingPlan& plan);

/// What a language model learns from: texts, documents that a model writes itself, or both.
struct LanguageDomains {
    std::vector<std::string> files;
    std::shared_ptr<const text::Tokenizer> tokenizer;       // of the files
    std::shared_ptr<const engine::Model> writer = nullptr;  // of own documents; none: only files
    double millions = 0;                         // of tokens that it writes; 0: as many as the training needs
    model::DType writtenIn = model::DType::F32;  // the type in which it computes while writing
};

/// Each domain is a group of its own; two where texts have a first token: rows with it and rows without.
/// Throws Failure if the data do not suit a model that reads plan.length tokens.
TrainingData languageData(const LanguageDomains& domains, const model::ArchSpec& spec,
                          const TrainingPlan& plan);

/// What the user asked for (--tasks, --data, --self), for a model that is there. Throws Failure.
TrainingData modelData(const TrainingArguments& given, const std::shared_ptr<const engine::Model>& model,
                       const ChosenTokenizer& chosen, const TrainingPlan& plan, model::DType computedIn);

/// Throws Failure unless the tokenizer gives the words of the built-in tasks their ids. `name` is the
/// model's.
void requireTaskWords(const text::Tokenizer* tokenizer, const std::string& name);

}  // namespace hs::app
