#include "service/command_words.h"

#include "base/failure.h"
#include "base/number_text.h"
#include "base/shell_words.h"
#include "engine/request/gate_choice.h"
#include "service/far_source.h"

#include <algorithm>

namespace hs::service {
namespace {

[[noreturn]] void refuse(const std::string& reason)
{
    fail(ErrorCode::BadRequest, reason);
}

/// A command in the making.
class Words {
public:
    explicit Words(const std::string& command) : m_words{"headscope", command} {}

    void add(const std::string& option, const std::string& value)
    {
        m_words.push_back(option);
        m_words.push_back(value);
    }
    void add(const std::string& flag) { m_words.push_back(flag); }
    void addUnless(const std::string& usual, const std::string& option, const std::string& value)
    {
        if (value != usual)
            add(option, value);
    }

    /// What is computed, on which machine and how. Two models are of one machine.
    void addModel(const std::string& option, const OpenModel& model)
    {
        const std::optional<FarSource> far = farSource(model.request.source);
        add(option, far ? far->source : model.request.source);
        m_hosts.push_back(far ? far->host : "");
    }
    void addPlace(const OpenRequest& request)
    {
        addUnless("auto", "--device", request.device);
        addUnless("auto", "--dtype", request.dtype);
        if (request.tf32)
            add("--tf32");
    }

    void addPrompt(const SideRequest& side)
    {
        if (side.view)
            refuse("A set of prompts is shown; look at one of them, or give the set's file with --prompts.");
        if (!side.generated.empty())
            refuse("The text goes on with tokens that the model wrote; look at the prompt alone.");
        if (!side.tokenIds.empty())
            add("--tokens", side.tokenIds);
        else if (side.isChat)
            addInput("--chat", side.prompt);
        else
            add("--text", side.prompt);
        addBos(side);
    }
    void addBos(const SideRequest& side)
    {
        if (!side.hasBos && side.tokenIds.empty())
            add("--no-bos");
    }

    void addInterventions(const SideRequest& side)
    {
        std::string changes;
        for (const auto& [head, change] : side.ablations) {
            if (change.isPatched())
                refuse(toString(head) +
                       " is patched from the corrupted prompt, which no command says; restore "
                       "it first.");
            changes += (changes.empty() ? "" : ",") + ablationWords(head, change);
        }
        if (!changes.empty())
            add("--ablate", changes);
        std::string scales;
        for (const FeatureScale& scale : side.scales)
            scales += (scales.empty() ? "" : ",") + toString(scale);
        if (!scales.empty())
            add("--scale", scales);
        if (!scales.empty() && !side.scaledIn.empty())
            add("--features", side.scaledIn);
        const auto own = engine::chooseGate({}, side.model->ownGateBias);
        if (side.gate == own)
            return;
        add("--gate", side.gate ? "score" : "off");
        if (side.gate)
            add("--gate-bias", numberText(side.gate->bias));
    }

    void addTarget(const SideRequest& side, bool isNeeded)
    {
        if (side.target.empty() && isNeeded)
            refuse("The command names the token that is watched; type a target first.");
        if (!side.target.empty())
            add("--target", side.target);
        if (!side.distractor.empty() && isNeeded)
            add("--versus", side.distractor);
    }
    void addPosition(const SideRequest& side)
    {
        if (side.position)
            add("--position", std::to_string(*side.position));
    }
    void requireLastPosition(const SideRequest& side) const
    {
        if (side.position)
            refuse("The command reads predictions at the last token; choose that one.");
    }

    std::string line() const
    {
        std::vector<std::string> words = m_words;
        if (std::ranges::adjacent_find(m_hosts, std::ranges::not_equal_to()) != m_hosts.end())
            refuse("The models are on two machines, which no command says; open both on one.");
        if (!m_hosts.empty() && !m_hosts.front().empty()) {
            words.push_back("--host");
            words.push_back(m_hosts.front());
        }
        const std::string line = shellLine(words);
        return m_input.empty() ? line : "printf %s " + shellQuoted(m_input) + " | " + line;
    }

private:
    void addInput(const std::string& option, const std::string& text)
    {
        add(option, "-");
        m_input = text;
    }

    std::vector<std::string> m_words;
    std::vector<std::string> m_hosts;  // of the models; empty: this machine
    std::string m_input;               // what the command reads from standard input
};

/// A command about one model and one prompt.
Words aboutRun(const std::string& command, const SideRequest& side)
{
    Words words(command);
    words.addModel("--model", *side.model);
    words.addPlace(side.model->request);
    words.addPrompt(side);
    words.addInterventions(side);
    return words;
}

std::string sweepLine(const AnalysisRequest& request)
{
    Words words = aboutRun("sweep", request.side);
    words.requireLastPosition(request.side);
    words.addTarget(request.side, true);
    words.addUnless("heads", "--units", std::string(wordOf(request.sweep.units)));
    words.addUnless("zero", "--method", std::string(wordOf(request.sweep.method)));
    if (readsCorrupted(request))
        words.add("--source", request.corrupted);
    return words.line();
}

std::string circuitLine(const AnalysisRequest& request)
{
    const SideRequest& side = request.side;
    if (side.isChat || !side.tokenIds.empty())
        refuse("The command takes both prompts as texts; type the prompt as one.");
    Words words("circuit");
    words.addModel("--model", *side.model);
    words.addPlace(side.model->request);
    words.requireLastPosition(side);
    words.add("--clean", side.prompt);
    words.add("--corrupt", request.corrupted);
    words.addBos(side);
    words.addTarget(side, true);
    if (side.distractor.empty())
        refuse("The command compares two tokens; type the one that the target is compared with.");
    words.addInterventions(side);
    words.addUnless("heads", "--units", std::string(wordOf(request.circuit.units)));
    words.addUnless("restore", "--rank", std::string(wordOf(request.circuit.ranking)));
    words.addUnless("0.9", "--level", numberText(request.circuit.level));
    if (request.circuit.isRefined)
        words.add("--refine");
    return words.line();
}

std::string compareLine(const AnalysisRequest& request)
{
    const SideRequest& left = request.side;
    const SideRequest& right = *request.other;
    const auto asOwn = [](const SideRequest& side) {
        return side.gate == engine::chooseGate({}, side.model->ownGateBias);
    };
    if (left.ablations != right.ablations || left.scales != right.scales ||
        (left.gate != right.gate && !(asOwn(left) && asOwn(right))))
        refuse("The sides are changed differently, which no command says; make them alike.");
    Words words("compare");
    words.addModel("--dense", *left.model);
    words.addModel("--sparse", *right.model);
    words.addPlace(left.model->request);
    words.addPrompt(left);
    words.addInterventions(left);
    return words.line();
}

std::string lineOf(const AnalysisRequest& request)
{
    switch (request.kind) {
    case AnalysisKind::Sweep: return sweepLine(request);
    case AnalysisKind::Circuit: return circuitLine(request);
    case AnalysisKind::Attribution: {
        Words words = aboutRun("attribute", request.side);
        words.addTarget(request.side, true);
        words.addPosition(request.side);
        return words.line();
    }
    case AnalysisKind::Scatter: {
        Words words = aboutRun("scatter", request.side);
        std::string heads;
        for (const HeadId head : request.heads)
            heads += (heads.empty() ? "" : ",") + toString(head);
        if (!heads.empty())
            words.add("--heads", heads);
        return words.line();
    }
    case AnalysisKind::Compare: return compareLine(request);
    case AnalysisKind::Flow: {
        Words words = aboutRun("flow", request.side);
        words.addUnless("0.1", "--threshold", numberText(request.threshold));
        if (request.hasRollout)
            words.add("--rollout");
        return words.line();
    }
    case AnalysisKind::Lens: {
        Words words = aboutRun("lens", request.side);
        words.addTarget(request.side, false);
        return words.line();
    }
    case AnalysisKind::Graph:
    case AnalysisKind::EdgeHeads:
    case AnalysisKind::Prompts:
    case AnalysisKind::Saliency:
    case AnalysisKind::HeadWords: break;
    }
    refuse("There is no line for this yet; see the guide's page of commands.");
}

}  // namespace

Result<std::string> commandOf(const AnalysisRequest& asked, const std::string& answer)
{
    return guarded([&] {
        AnalysisRequest request = asked;
        if (request.side.target.empty() && request.kind != AnalysisKind::Lens)
            request.side.target = answer;
        if (request.side.model->maps)
            refuse("Maps from a file are shown; give their file in place of a model.");
        return lineOf(request);
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
        Words words = aboutRun("run", request);
        words.add("--npz", "run.npz");
        return words.line();
    });
}

}  // namespace hs::service
