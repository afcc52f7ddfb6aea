#include "app/support/workspace.h"

#include "app/support/far_job.h"
#include "app/support/messages.h"
#include "base/failure.h"
#include "features/effects/scaled_features.h"
#include "maps/maps_file.h"
#include "model/adapter/adapter_files.h"
#include "text/chat.h"
#include "text/chat_template.h"
#include "text/prompt.h"
#include "text/single_token.h"
#include "text/token_ids.h"

#include <algorithm>
#include <deque>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>

namespace hs::app {
namespace {

struct KeptModels {
    engine::ModelOpener opener;
    std::deque<engine::Workspace> last;  // the newest first
};
std::optional<KeptModels> keptModels;

engine::Workspace openedAndKept(const engine::ModelArguments& arguments, const Hooks& hooks)
{
    if (!keptModels)
        return orThrow(engine::ModelOpener().open(arguments, hooks));
    engine::Workspace workspace = orThrow(keptModels->opener.open(arguments, hooks));
    std::erase_if(keptModels->last, [&](const auto& other) { return other.model == workspace.model; });
    keptModels->last.push_front(workspace);
    if (keptModels->last.size() > 2)
        keptModels->last.pop_back();
    return workspace;
}

}  // namespace

void keepModels(bool isWanted)
{
    keptModels = isWanted ? std::make_optional<KeptModels>() : std::nullopt;
}

std::vector<HeadId> namedHeads(const std::string& list, const HeadShape& shape)
{
    std::vector<HeadId> heads;
    std::istringstream items(list);
    for (std::string item; std::getline(items, item, ',');)
        for (const HeadId head : orThrow(parseHeads(item, shape)))
            if (std::ranges::find(heads, head) == heads.end())
                heads.push_back(head);
    return heads;
}

std::map<HeadId, HeadChange> parseChanges(const std::vector<std::string>& lists, const HeadShape& shape)
{
    std::map<HeadId, HeadChange> changes;
    for (const std::string& list : lists) {
        std::istringstream items(list);
        for (std::string item; std::getline(items, item, ',');) {
            const std::size_t end = std::min(item.find_first_of("[:"), item.size());
            const bool hasWord = end < item.size() && item[end] == ':';
            const auto change = end == item.size()
                                    ? HeadChange{}
                                    : orThrow(parseHeadChange(item.substr(end + (hasWord ? 1 : 0))));
            if (change.isPatched())
                fail(ErrorCode::BadRequest,
                     "\"" + item +
                         "\" is patched, which takes another prompt; use :zero or :mean, "
                         "or patch in the window.");
            for (const HeadId head : orThrow(parseUnits(item.substr(0, end), shape)))
                changes[head] = changes.contains(head) ? together(changes[head], change) : change;
        }
    }
    return changes;
}

engine::Ablations parseAblations(const std::vector<std::string>& lists, const HeadShape& shape)
{
    engine::Ablations ablations;
    for (const auto& [head, change] : parseChanges(lists, shape))
        ablations[head] = {change.kind, nullptr, nullptr, change.cells};
    return ablations;
}

engine::AdapterUses adaptersOf(const engine::Workspace& workspace, const RunArguments& run)
{
    std::vector<engine::AdapterChoice> choices;
    for (const std::string& typed : run.adapters)
        choices.push_back(orThrow(engine::parseAdapterChoice(typed)));
    return workspace.adapters->chosen(choices);
}

std::vector<FeatureScale> parseScales(const std::vector<std::string>& scales)
{
    std::vector<FeatureScale> parsed;
    for (const std::string& scale : scales)
        parsed.push_back(orThrow(parseFeatureScale(scale)));
    return parsed;
}

std::filesystem::path codersFolder(const engine::Workspace& workspace, const std::string& given)
{
    const auto folder = features::findTranscoders(
        given.empty() ? std::nullopt : std::optional<std::filesystem::path>(given), workspace.folder);
    if (!folder)
        fail(ErrorCode::NotFound, "There are no transcoders beside the model in " +
                                      workspace.folder.string() +
                                      "; give their folder with --features, or train some with headscope "
                                      "transcode.");
    return *folder;
}

engine::Workspace openWorkspace(const engine::ModelArguments& arguments)
{
    if (maps::mapsSource(arguments.model))
        fail(ErrorCode::BadRequest, arguments.model +
                                        " holds attention maps and no model, so there is nothing to "
                                        "run; give the model itself, or look at the maps with "
                                        "headscope view.");
    requireComputeNodeIfFar(arguments.model);
    ProgressLine progress("Loading");
    engine::Workspace workspace = openedAndKept(arguments, {progress.callback(), interruptToken()});
    for (const std::string& note : workspace.notes)
        say(note);
    return workspace;
}

std::shared_ptr<const text::Tokenizer> openTokenizer(const std::string& where)
{
    // A folder with only a tokenizer is enough here; a GGUF file has its own inside.
    const bool isAdapter = model::isAdapter(where);
    const Result<model::ModelFiles> files = model::locateModelBehind(where);
    const bool isGguf = files && files->format == model::ModelFiles::Format::Gguf;
    if (std::filesystem::exists(where) && !isGguf && !isAdapter)
        return orThrow(text::Tokenizer::load(where));
    return requireTokenizer(orThrow(files)).tokenizer;
}

engine::ModelTokenizer requireTokenizer(const model::ModelFiles& files)
{
    engine::ModelTokenizer loaded = orThrow(engine::loadTokenizer(files));
    for (const std::string& note : loaded.notes)
        say(note);
    if (!loaded.tokenizer)
        fail(ErrorCode::NotFound, "There is no tokenizer in " + files.folder.string() +
                                      "; place its tokenizer.json there or pass token ids with --tokens.");
    return loaded;
}

std::string textIn(const std::string& path)
{
    std::ifstream file;
    if (path != "-") {
        file.open(path, std::ios::binary);
        if (!file || std::filesystem::is_directory(path))
            fail(ErrorCode::NotFound, "Cannot read " + path + "; check the path.");
    }
    return {std::istreambuf_iterator<char>(path == "-" ? std::cin : file), {}};
}

std::string promptText(const PromptArguments& arguments)
{
    const std::string& path = arguments.isChat() ? arguments.chat : arguments.textFile;
    if (path.empty())
        return arguments.text.value_or("");
    const std::string text = textIn(path);
    if (!arguments.isChat())
        return text;
    text::Chat chat = orThrow(text::parseChat(text, path == "-" ? "The chat" : path));
    if (!arguments.chatTemplate.empty())
        chat.templateName = orThrow(text::chatTemplateNamed(arguments.chatTemplate))->name;
    return text::chatJson(chat);
}

std::vector<text::Token> readPrompt(const PromptArguments& arguments, const text::Tokenizer& tokenizer)
{
    text::PromptTokens prompt = orThrow(
        text::readPrompt(tokenizer, promptText(arguments), arguments.isChat(), !arguments.withoutBos));
    for (const std::string& note : prompt.notes)
        say(note);
    return std::move(prompt.tokens);
}

std::vector<text::Token> typedTokens(const PromptArguments& arguments, const text::Tokenizer* tokenizer)
{
    if (!arguments.tokens.empty())
        return tokensOf(tokenizer, orThrow(text::parseTokenIds(arguments.tokens)));
    if (!arguments.isGiven())
        fail(ErrorCode::BadRequest, kNoPrompt);
    if (!tokenizer)
        fail(ErrorCode::NotFound,
             "This model's folder has no tokenizer; give --tokens, or put its tokenizer.json there.");
    return readPrompt(arguments, *tokenizer);
}

std::vector<std::int64_t> promptTokens(const PromptArguments& arguments, const text::Tokenizer* tokenizer)
{
    std::vector<std::int64_t> ids;
    for (const text::Token& token : typedTokens(arguments, tokenizer))
        ids.push_back(token.id);
    return ids;
}

text::Blocks promptBlocks(const PromptArguments& arguments, const std::vector<text::Token>& tokens)
{
    if (arguments.blocks.empty())
        return {};
    const text::BlockChoice choice = orThrow(text::parseBlocks(arguments.blocks));
    if (choice.unit == text::BlockUnit::Messages && !arguments.isChat())
        fail(ErrorCode::BadRequest, "The prompt is no chat, so it has no messages; give one with --chat, or "
                                    "cut it into words, sentences or lines.");
    return text::blocksOf(choice, tokens);
}

engine::RunRequest makeRequest(const engine::Workspace& workspace, const PromptArguments& prompt,
                               const RunArguments& run)
{
    return makeRun(workspace, prompt, run).request;
}

TypedRun makeRun(const engine::Workspace& workspace, const PromptArguments& prompt, const RunArguments& run)
{
    TypedRun typed;
    engine::RunRequest& request = typed.request;
    request.model = workspace.model;
    typed.tokens = typedTokens(prompt, workspace.tokenizer.get());
    for (const text::Token& token : typed.tokens)
        request.tokens.push_back(token.id);
    typed.blocks = promptBlocks(prompt, typed.tokens);
    request.spans = typed.blocks.spans;
    request.adapters = adaptersOf(workspace, run);
    request.ablations = parseAblations(run.ablate, workspace.model->spec().headShape());
    request.gate = engine::chooseGate(run.gateOver(), workspace.model->spec().gateBias);
    request.tf32 = run.tf32;
    if (const std::vector<FeatureScale> scales = parseScales(run.scales); !scales.empty())
        request.writes = orThrow(features::scaledWrites(
            request,
            orThrow(features::openTranscoders(codersFolder(workspace, run.features), request.model->spec())),
            scales, {{}, interruptToken()}));
    return typed;
}

void checkRunOptions(const engine::Workspace& workspace, const RunArguments& run)
{
    PromptArguments probe;
    probe.text = "a";
    promptTokens(probe, workspace.tokenizer.get());
    parseScales(run.scales);
    RunArguments unscaled = run;
    unscaled.scales.clear();
    makeRequest(workspace, probe, unscaled);
}

std::int64_t wantedToken(const engine::Workspace& workspace, const std::string& text)
{
    if (workspace.tokenizer)
        return orThrow(text::singleToken(*workspace.tokenizer, text));
    const std::vector<std::int64_t> ids = orThrow(text::parseTokenIds(text));
    if (ids.size() != 1)
        fail(ErrorCode::BadRequest, "This model's folder has no tokenizer; give one token's id.");
    return ids.front();
}

std::vector<text::Token> tokensOf(const text::Tokenizer* tokenizer, const std::vector<std::int64_t>& ids)
{
    std::vector<text::Token> tokens;
    std::uint64_t begin = 0;
    for (const std::int64_t id : ids) {
        const std::string text = tokenizer ? tokenizer->tokenText(id) : std::to_string(id);
        tokens.push_back({id, text, begin, begin + text.size()});
        begin += text.size();
    }
    return tokens;
}

std::string tokenText(const text::Tokenizer* tokenizer, std::int64_t id)
{
    return tokenizer ? tokenizer->tokenText(id) : std::string();
}

}  // namespace hs::app
