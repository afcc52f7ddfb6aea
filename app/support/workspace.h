#pragma once

#include "app/support/arguments.h"
#include "base/feature_scale.h"
#include "engine/load/model_tokenizer.h"
#include "engine/load/open_model.h"
#include "engine/request/run_request.h"
#include "features/coders/transcoders.h"
#include "text/blocks.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hs::app {

/// The steps from typed arguments to a request; each throws a Failure that says what to correct. Messages
/// about what was found go to standard error.
engine::Workspace openWorkspace(const engine::ModelArguments& arguments);
/// From now on the last two models, as many as a comparison has, stay open for those who ask for them again, or are let
/// go of.
void keepModels(bool isWanted);
std::shared_ptr<const text::Tokenizer> openTokenizer(const std::string& where);
engine::ModelTokenizer requireTokenizer(const model::ModelFiles& files);
/// What a file says; "-" is standard input.
std::string textIn(const std::string& path);
/// The text, or a chat as JSON, with the template's name in it.
std::string promptText(const PromptArguments& arguments);
std::vector<text::Token> readPrompt(const PromptArguments& arguments, const text::Tokenizer& tokenizer);
std::vector<text::Token> typedTokens(const PromptArguments& arguments, const text::Tokenizer* tokenizer);
std::vector<std::int64_t> promptTokens(const PromptArguments& arguments, const text::Tokenizer* tokenizer);
/// What --blocks cuts a prompt's tokens into; none without it.
text::Blocks promptBlocks(const PromptArguments& arguments, const std::vector<text::Token>& tokens);
/// "L5H1,L2H*", each head once.
std::vector<HeadId> namedHeads(const std::string& list, const HeadShape& shape);
std::map<HeadId, HeadChange> parseChanges(const std::vector<std::string>& lists, const HeadShape& shape);
engine::Ablations parseAblations(const std::vector<std::string>& lists, const HeadShape& shape);
/// The model's own adapter and those that the user names. Throws Failure.
engine::AdapterUses adaptersOf(const engine::Workspace& workspace, const RunArguments& run);
std::vector<FeatureScale> parseScales(const std::vector<std::string>& scales);
/// The folder given, or the transcoders beside the model.
std::filesystem::path codersFolder(const engine::Workspace& workspace, const std::string& given);
/// Fails for what is wrong with the options of runs, so that it need not be said of every prompt of a set.
void checkRunOptions(const engine::Workspace& workspace, const RunArguments& run);
/// A prompt as a model runs it, and what its tokens say.
struct TypedRun {
    engine::RunRequest request;
    std::vector<text::Token> tokens;
    text::Blocks blocks;  // none without --blocks

    /// What patterns have rows and columns for.
    std::vector<text::Token> places() const { return request.fold() ? tokensOf(blocks, tokens) : tokens; }
};
TypedRun makeRun(const engine::Workspace& workspace, const PromptArguments& prompt, const RunArguments& run);
engine::RunRequest makeRequest(const engine::Workspace& workspace, const PromptArguments& prompt,
                               const RunArguments& run);

/// The single token that a text consists of; read as an id if the model has no tokenizer.
std::int64_t wantedToken(const engine::Workspace& workspace, const std::string& text);

/// The tokens of ids by their texts, as if these stood behind one another; by the ids where there is no tokenizer.
std::vector<text::Token> tokensOf(const text::Tokenizer* tokenizer, const std::vector<std::int64_t>& ids);

/// The text of a token for people and JSON; "" for ids that the tokenizer does not know.
std::string tokenText(const text::Tokenizer* tokenizer, std::int64_t id);

}  // namespace hs::app
