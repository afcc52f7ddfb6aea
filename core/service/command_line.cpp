#include "service/command_line.h"

#include "base/failure.h"
#include "base/number_text.h"
#include "base/shell_words.h"
#include "engine/request/gate_choice.h"
#include "service/command_words.h"
#include "service/far_source.h"

#include <algorithm>

namespace hs::service {

void refuseCommand(const std::string& reason)
{
    fail(ErrorCode::BadRequest, reason);
}

CommandLine::CommandLine(const std::string& command, const SideRequest& side) : CommandLine(command)
{
    addModel("--model", *side.model);
    addPlace(side.model->request);
    addPrompt(side);
    addInterventions(side);
}

void CommandLine::add(const std::string& option, const std::string& value)
{
    m_words.push_back(option);
    m_words.push_back(value);
}

void CommandLine::addUnless(const std::string& usual, const std::string& option, const std::string& value)
{
    if (value != usual)
        add(option, value);
}

void CommandLine::addModel(const std::string& option, const OpenModel& model)
{
    const std::optional<FarSource> far = farSource(model.request.source);
    add(option, far ? far->source : model.request.source);
    m_hosts.push_back(far ? far->host : "");
}

void CommandLine::addPlace(const OpenRequest& request)
{
    addUnless("auto", "--device", request.device);
    addUnless("auto", "--dtype", request.dtype);
    if (request.tf32)
        add("--tf32");
}

void CommandLine::addPrompt(const SideRequest& side)
{
    if (side.view)
        refuseCommand(
            "A set of prompts is shown; look at one of them, or give the set's file with --prompts.");
    if (!side.generated.empty())
        refuseCommand("The text goes on with tokens that the model wrote; look at the prompt alone.");
    if (!side.tokenIds.empty()) {
        add("--tokens", side.tokenIds);
    } else if (side.isChat) {
        add("--chat", "-");
        setInput(side.prompt);
    } else {
        add("--text", side.prompt);
    }
    addBos(side);
    if (!side.blocks.isNone())
        add("--blocks", toString(side.blocks));
}

void CommandLine::addBos(const SideRequest& side)
{
    if (!side.hasBos && side.tokenIds.empty())
        add("--no-bos");
}

std::string changeWords(const SideRequest& side)
{
    std::string changes;
    for (const auto& [head, change] : side.ablations) {
        if (change.isPatched())
            refuseCommand(toString(head) +
                          " is patched from the corrupted prompt, which no command says; restore it first.");
        changes += (changes.empty() ? "" : ",") + ablationWords(head, change);
    }
    return changes;
}

void CommandLine::addInterventions(const SideRequest& side)
{
    addUnless("", "--ablate", changeWords(side));
    std::string scales;
    for (const FeatureScale& scale : side.scales)
        scales += (scales.empty() ? "" : ",") + toString(scale);
    addUnless("", "--scale", scales);
    if (!scales.empty())
        addUnless("", "--features", side.scaledIn);
    for (const engine::AdapterChoice& choice : side.adapters)
        add("--adapter", toString(choice));
    if (side.gate == engine::chooseGate({}, side.model->ownGateBias))
        return;
    add("--gate", side.gate ? "score" : "off");
    if (side.gate)
        add("--gate-bias", numberText(side.gate->bias));
}

void CommandLine::addTarget(const SideRequest& side)
{
    addUnless("", "--target", side.target);
}

void CommandLine::addVersus(const SideRequest& side)
{
    addUnless("", "--versus", side.distractor);
}

void CommandLine::addPosition(const SideRequest& side)
{
    if (side.position)
        add("--position", std::to_string(*side.position));
}

std::string CommandLine::text() const
{
    std::vector<std::string> words = m_words;
    if (std::ranges::adjacent_find(m_hosts, std::ranges::not_equal_to()) != m_hosts.end())
        refuseCommand("The models are on two machines, which no command says; open both on one.");
    if (!m_hosts.empty() && !m_hosts.front().empty()) {
        words.push_back("--host");
        words.push_back(m_hosts.front());
    }
    const std::string line = shellLine(words);
    return m_input.empty() ? line : "printf %s " + shellQuoted(m_input) + " | " + line;
}

}  // namespace hs::service
