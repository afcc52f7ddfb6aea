#include "service/command_words.h"

#include "base/failure.h"
#include "base/number_text.h"
#include "engine/request/gate_choice.h"
#include "service/command_line.h"

namespace hs::service {
namespace {

/// Whether the command has to name the token that is watched.
bool needsTarget(AnalysisKind kind)
{
    return kind == AnalysisKind::Sweep || kind == AnalysisKind::Circuit ||
           kind == AnalysisKind::Attribution || kind == AnalysisKind::Saliency;
}

void requireLastPosition(const SideRequest& side)
{
    if (side.position)
        refuseCommand("The command reads predictions at the last token; choose that one.");
}

/// "L3F120@5", as --heads-of takes it.
std::string nodeWord(const features::NodeId& node, const OpenModel& model)
{
    using Kind = features::GraphNode::Kind;
    const std::string at = "@" + std::to_string(node.position);
    switch (node.kind) {
    case Kind::Feature: return toString(FeatureId{node.layer, static_cast<int>(node.index)}) + at;
    case Kind::Error: return "L" + std::to_string(node.layer) + "error" + at;
    case Kind::Token: return "token" + at;
    case Kind::Position: return "position" + at;
    case Kind::Constant: return "constant";
    case Kind::Logit:
        return "logit=" +
               (model.tokenizer ? model.tokenizer->tokenText(node.index) : std::to_string(node.index));
    }
    return {};
}

CommandLine sweepLine(const AnalysisRequest& request)
{
    requireLastPosition(request.side);
    CommandLine line("sweep", request.side);
    line.addTarget(request.side);
    line.addVersus(request.side);
    line.addUnless("heads", "--units", std::string(wordOf(request.sweep.units)));
    line.addUnless("zero", "--method", std::string(wordOf(request.sweep.method)));
    if (readsCorrupted(request))
        line.add("--source", request.corrupted);
    return line;
}

CommandLine circuitLine(const AnalysisRequest& request)
{
    const SideRequest& side = request.side;
    requireLastPosition(side);
    if (side.isChat || !side.tokenIds.empty())
        refuseCommand("The command takes both prompts as texts; type the prompt as one.");
    if (side.distractor.empty())
        refuseCommand("The command compares two tokens; type the one that the target is compared with.");
    CommandLine line("circuit");
    line.addModel("--model", *side.model);
    line.addPlace(side.model->request);
    line.add("--clean", side.prompt);
    line.add("--corrupt", request.corrupted);
    line.addBos(side);
    line.addTarget(side);
    line.addVersus(side);
    line.addInterventions(side);
    line.addUnless("heads", "--units", std::string(wordOf(request.circuit.units)));
    line.addUnless("restore", "--rank", std::string(wordOf(request.circuit.ranking)));
    line.addUnless("0.9", "--level", numberText(request.circuit.level));
    if (request.circuit.isRefined)
        line.add("--refine");
    return line;
}

CommandLine attributionLine(const AnalysisRequest& request)
{
    CommandLine line("attribute", request.side);
    line.addTarget(request.side);
    line.addVersus(request.side);
    line.addPosition(request.side);
    return line;
}

CommandLine scatterLine(const AnalysisRequest& request)
{
    CommandLine line("scatter", request.side);
    std::string heads;
    for (const HeadId head : request.heads)
        heads += (heads.empty() ? "" : ",") + toString(head);
    line.addUnless("", "--heads", heads);
    return line;
}

CommandLine compareLine(const AnalysisRequest& request)
{
    const SideRequest& left = request.side;
    const SideRequest& right = *request.other;
    const auto asOwn = [](const SideRequest& side) {
        return side.gate == engine::chooseGate({}, side.model->ownGateBias);
    };
    const bool isOtherText = left.prompt != right.prompt || left.isChat != right.isChat;
    if (left.scales != right.scales || left.hasBos != right.hasBos || left.tokenIds != right.tokenIds ||
        (isOtherText && right.isChat) || (left.gate != right.gate && !(asOwn(left) && asOwn(right))))
        refuseCommand("The sides are changed differently, which no command says; make them alike.");
    CommandLine line("compare");
    line.addModel("--dense", *left.model);
    line.addModel("--sparse", *right.model);
    line.addPlace(left.model->request);
    line.addPrompt(left);
    line.addInterventions(left);
    if (isOtherText)
        line.add("--sparse-text", right.prompt);
    if (left.adapters != right.adapters) {
        if (right.adapters.empty())
            line.add("--sparse-adapter", "none");
        for (const engine::AdapterChoice& choice : right.adapters)
            line.add("--sparse-adapter", toString(choice));
    }
    if (left.ablations != right.ablations)
        line.add("--sparse-ablate", right.ablations.empty() ? "none" : changeWords(right));
    return line;
}

CommandLine flowLine(const AnalysisRequest& request)
{
    CommandLine line("flow", request.side);
    line.addUnless("0.1", "--threshold", numberText(request.threshold));
    if (request.hasRollout)
        line.add("--rollout");
    return line;
}

CommandLine graphLine(const AnalysisRequest& request)
{
    CommandLine line("graph", request.side);
    line.addUnless("", "--features", request.graph.coders);
    line.addTarget(request.side);
    if (!request.side.target.empty())
        line.addVersus(request.side);
    line.addPosition(request.side);
    line.add("--nodes", numberText(kGraphShare));
    return line;
}

CommandLine edgeHeadsLine(const AnalysisRequest& request)
{
    const GraphSetup& graph = request.graph;
    if (graph.sources.size() != 1 || graph.targets.size() != 1)
        refuseCommand(
            "The command takes one node at each end of an edge; choose an edge between single nodes.");
    CommandLine line = graphLine(request);
    line.add("--heads-of", nodeWord(graph.sources.front(), *request.side.model));
    line.add(nodeWord(graph.targets.front(), *request.side.model));
    return line;
}

CommandLine promptsLine(const AnalysisRequest& request)
{
    CommandLine line("metrics");
    line.addModel("--model", *request.side.model);
    line.addPlace(request.side.model->request);
    line.add("--prompts", request.set.where);
    line.addUnless("", "--template", request.set.pattern);
    line.addBos(request.side);
    line.addInterventions(request.side);
    return line;
}

CommandLine lensLine(const AnalysisRequest& request)
{
    CommandLine line("lens", request.side);
    line.addTarget(request.side);
    if (request.lens.withHalves)
        line.add("--halves");
    return line;
}

CommandLine saliencyLine(const AnalysisRequest& request)
{
    CommandLine line("lens", request.side);
    line.add("--saliency");
    line.addTarget(request.side);
    line.addVersus(request.side);
    line.addPosition(request.side);
    line.addUnless("64", "--steps", std::to_string(request.lens.steps));
    return line;
}

CommandLine headWordsLine(const AnalysisRequest& request)
{
    CommandLine line("lens", request.side);
    line.add("--head", toString(request.heads.at(0)));
    if (request.lens.key)
        line.add("--key", std::to_string(*request.lens.key));
    line.addPosition(request.side);
    line.add("--top", std::to_string(kHeadWords));
    return line;
}

CommandLine historyLine(const AnalysisRequest& request)
{
    CommandLine line("metrics", request.side);
    line.add("--over-training");
    return line;
}

CommandLine lineOf(const AnalysisRequest& request)
{
    switch (request.kind) {
    case AnalysisKind::Sweep: return sweepLine(request);
    case AnalysisKind::Circuit: return circuitLine(request);
    case AnalysisKind::Attribution: return attributionLine(request);
    case AnalysisKind::Scatter: return scatterLine(request);
    case AnalysisKind::Compare: return compareLine(request);
    case AnalysisKind::Flow: return flowLine(request);
    case AnalysisKind::Graph: return graphLine(request);
    case AnalysisKind::EdgeHeads: return edgeHeadsLine(request);
    case AnalysisKind::Prompts: return promptsLine(request);
    case AnalysisKind::Lens: return lensLine(request);
    case AnalysisKind::Saliency: return saliencyLine(request);
    case AnalysisKind::HeadWords: return headWordsLine(request);
    case AnalysisKind::History: return historyLine(request);
    }
    fail(ErrorCode::Internal, "There is no such analysis.");
}

}  // namespace

Result<std::string> commandOf(const AnalysisRequest& asked, const std::string& answer)
{
    return guarded([&] {
        AnalysisRequest request = asked;
        if (request.side.model->maps)
            refuseCommand("Maps from a file are shown; give their file in place of a model.");
        if (needsTarget(request.kind) && request.side.target.empty())
            request.side.target = answer;
        if (needsTarget(request.kind) && request.side.target.empty())
            refuseCommand("The command names the token that is watched; type a target first.");
        return lineOf(request).text();
    });
}

std::string ablationWords(HeadId head, const HeadChange& change)
{
    const std::string text = toString(change);
    const bool isPlain = change.kind == HeadChange::Kind::Zero;
    return toString(head) + (isPlain ? "" : change.isWhole() ? ":" + text : text);
}

Result<std::string> commandOf(const SideRequest& request)
{
    return guarded([&] {
        CommandLine line("run", request);
        line.add("--npz", "run.npz");
        return line.text();
    });
}

}  // namespace hs::service
