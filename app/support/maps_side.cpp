#include "app/support/maps_side.h"

#include "app/support/messages.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "maps/maps_file.h"
#include "service/engine_need.h"
#include "service/maps_backend.h"

namespace hs::app {
namespace {

Json textList(const std::vector<std::string>& texts)
{
    Json list = Json::array();
    for (const std::string& text : texts)
        list.push_back({{"text", text}});
    return list;
}

std::shared_ptr<const service::OpenModel> openWithNotes(service::Backend& backend,
                                                        const engine::ModelArguments& model, bool tf32)
{
    ProgressLine progress("Loading");
    auto open = orThrow(backend.open({model.model, model.device, model.dtype, tf32},
                                     {progress.callback(), interruptToken()}));
    for (const std::string& note : open->notes)
        say(note);
    return open;
}

void refuseRun(const service::OpenModel& model, const PromptArguments& prompt, const RunArguments& run)
{
    if (prompt.isGiven())
        fail(ErrorCode::BadRequest, "Maps from a file bring their own tokens; leave out the prompt.");
    if (!prompt.blocks.empty())
        fail(ErrorCode::BadRequest, "Maps from a file are shown token by token; leave out --blocks.");
    if (run.isGiven())
        fail(ErrorCode::BadRequest, service::whyNoRun(model));
}

}  // namespace

std::optional<service::SideRequest> openMaps(const std::string& model, const PromptArguments& prompt,
                                             const RunArguments& run)
{
    if (!maps::mapsSource(model))
        return std::nullopt;
    service::MapsBackend backend;
    service::SideRequest side;
    side.model = openWithNotes(backend, {model, "auto", "auto"}, false);
    refuseRun(*side.model, prompt, run);
    return side;
}

service::SideRequest openSide(service::Backend& backend, const engine::ModelArguments& model,
                              const PromptArguments& prompt, const RunArguments& run)
{
    service::SideRequest side;
    side.model = openWithNotes(backend, model, run.tf32);
    if (side.model->maps)
        return side;
    side.tokenIds = prompt.tokens;
    side.prompt = prompt.tokens.empty() ? promptText(prompt) : "";
    side.isChat = prompt.isChat();
    side.hasBos = !prompt.withoutBos;
    if (!prompt.blocks.empty())
        side.blocks = orThrow(text::parseBlocks(prompt.blocks));
    if (!side.hasPrompt())
        fail(ErrorCode::BadRequest, kNoPrompt);
    side.gate = engine::chooseGate(run.gateOver(), side.model->ownGateBias);
    side.ablations = parseChanges(run.ablate, side.model->heads);
    side.scales = parseScales(run.scales);
    side.scaledIn = run.features;
    return side;
}

service::AnalysisResult analyseMaps(const service::AnalysisRequest& request, const Hooks& hooks)
{
    return orThrow(service::MapsBackend().analyse(request, hooks, {}));
}

void addTokens(Json& json, const service::OpenModel& model)
{
    const maps::Block::Facts& facts = model.maps->facts();
    json["model"] = model.title;
    json["tokens"] = textList(facts.queryTokens);
    if (!facts.keyTokens.empty())
        json["key_tokens"] = textList(facts.keyTokens);
}

}  // namespace hs::app
