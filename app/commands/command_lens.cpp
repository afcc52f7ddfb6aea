#include "app/support/commands.h"

#include "analyses/head_circuit.h"
#include "app/commands/lens_output.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "engine/run/engine.h"

#include <limits>
#include <memory>

namespace hs::app {
namespace {

struct LensArguments {
    ModelChoice models;
    PromptArguments prompt;
    RunArguments run;
    std::optional<std::string> target;
    std::optional<std::string> versus;
    std::optional<int> position;
    int top = 5;
    bool withHalves = false;
    std::string head;
    std::optional<int> key;
    std::optional<std::string> token;
    bool isCopying = false;
    bool isSaliency = false;
    int steps = engine::SaliencyRequest().steps;
    std::optional<std::string> baseline;
    std::string json;
};

/// What the user asked of one model.
class LensQuestion {
public:
    LensQuestion(const engine::Workspace& workspace, const LensArguments& arguments)
        : m_workspace(workspace), m_arguments(arguments), m_adapters(adaptersOf(workspace, arguments.run))
    {
    }

    LensOutput answer()
    {
        if (m_arguments.isCopying)
            return copyingOutput(m_workspace,
                                 orThrow(analyses::copyingScores({*m_workspace.model, m_adapters},
                                                                 {m_progress.callback(), interruptToken()})));
        if (m_arguments.token)
            return answerFromWeights();
        engine::RunRequest run = makeRequest(m_workspace, m_arguments.prompt, m_arguments.run);
        run.capture.topK = m_arguments.top;
        run.capture.position = m_arguments.position;
        if (m_arguments.isSaliency)
            return answerSaliency(std::move(run));
        if (!m_arguments.head.empty())
            return writeOutputOf(m_workspace, run,
                                 orThrow(engine::Engine().headWrite(run, orThrow(parseUnit(m_arguments.head)),
                                                                    m_arguments.key, hooks())));
        return answerLens(std::move(run));
    }

private:
    Hooks hooks() { return {m_progress.callback(), interruptToken()}; }
    std::optional<std::int64_t> tokenOf(const std::optional<std::string>& text) const
    {
        return text ? std::optional(wantedToken(m_workspace, *text)) : std::nullopt;
    }

    LensOutput answerFromWeights() const
    {
        const engine::AdaptedModel model(*m_workspace.model, m_adapters);
        const HeadId head = orThrow(parseHead(m_arguments.head));
        const std::int64_t token = *tokenOf(m_arguments.token);
        return circuitOutput(m_workspace, head, token,
                             orThrow(analyses::tokensWritten(model, head, token, m_arguments.top)),
                             orThrow(analyses::keysPreferred(model, head, token, m_arguments.top)));
    }

    LensOutput answerSaliency(engine::RunRequest run)
    {
        engine::SaliencyRequest request{std::move(run), *tokenOf(m_arguments.target),
                                        tokenOf(m_arguments.versus), m_arguments.steps,
                                        tokenOf(m_arguments.baseline)};
        return saliencyOutput(m_workspace, request, orThrow(engine::Engine().saliency(request, hooks())));
    }

    LensOutput answerLens(engine::RunRequest run)
    {
        if (const std::optional<std::int64_t> target = tokenOf(m_arguments.target))
            run.capture.watched = {*target};
        if (m_arguments.json.empty() && !run.capture.position)  // a table shows one position
            run.capture.position = static_cast<int>(run.tokens.size()) - 1;
        return lensOutput(m_workspace, run,
                          orThrow(engine::Engine().lens(run, m_arguments.withHalves, hooks())));
    }

    const engine::Workspace& m_workspace;
    const LensArguments& m_arguments;
    engine::AdapterUses m_adapters;
    ProgressLine m_progress{"Step"};
};

/// Options that say nothing together.
void checkQuestion(const LensArguments& arguments)
{
    if (arguments.token && arguments.head.empty())
        fail(ErrorCode::BadRequest, "--token is what a head reads; name the head with --head.");
    if (arguments.isSaliency && !arguments.target)
        fail(ErrorCode::BadRequest, "Saliency is that of a token's logit; name it with --target.");
}

void run(const LensArguments& arguments)
{
    checkQuestion(arguments);
    requireWritable(arguments.json);
    std::vector<LensOutput> outputs;
    std::string tables;
    for (const engine::ModelArguments& model : arguments.models.all()) {
        const engine::Workspace workspace = openWorkspace(model);
        outputs.push_back(LensQuestion(workspace, arguments).answer());
        if (arguments.models.isPair())
            tables += (tables.empty() ? "" : "\n") + workspace.model->facts().name + "\n";
        tables += outputs.back().table;
    }
    if (arguments.json.empty())
        writeOutput("", tables);
    else if (arguments.models.isPair())
        writeOutput(arguments.json, Json{{"dense", outputs[0].json}, {"sparse", outputs[1].json}});
    else
        writeOutput(arguments.json, outputs[0].json);
}

void addHeadOptions(CLI::App& command, LensArguments& arguments)
{
    auto* const head =
        command
            .add_option("--head", arguments.head,
                        "What this head, L4H3, or MLP, L4MLP, adds to the logits there instead")
            ->type_name("HEAD");
    command.add_option("--key", arguments.key, "Only what it brings from this token, counted from 0")
        ->check(CLI::Range(0, std::numeric_limits<int>::max()))
        ->needs(head)
        ->type_name("K");
    auto* const token =
        command
            .add_option("--token", arguments.token,
                        "Without a prompt, from its weights alone: the tokens it pushes when it reads this "
                        "one, and the keys it looks for with this one as the query")
            ->type_name("T");
    for (const char* const option : {"--text", "--text-file", "--tokens", "--key"})
        token->excludes(option);
    command
        .add_flag("--copying", arguments.isCopying,
                  "How far each head pushes the tokens that it reads, from -1 to 1, from its weights alone")
        ->excludes(head);
}

void addSaliencyOptions(CLI::App& command, LensArguments& arguments)
{
    auto* const saliency =
        command
            .add_flag("--saliency", arguments.isSaliency,
                      "How much each token of the prompt does for the target's logit, by gradients, instead")
            ->excludes("--head")
            ->excludes("--copying");
    command.add_option("--versus", arguments.versus, "With --saliency: a token whose logit is subtracted")
        ->needs(saliency)
        ->type_name("U");
    command.add_option("--steps", arguments.steps, "Steps in which gradients are integrated")
        ->check(CLI::Range(1, 100000))
        ->needs(saliency)
        ->capture_default_str();
    command
        .add_option("--baseline", arguments.baseline,
                    "The token that all are before; by default the mean of all embeddings")
        ->needs(saliency)
        ->type_name("T");
}

}  // namespace

void addLensCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<LensArguments>();
    CLI::App& command = *app.add_subcommand(
        "lens", "What a model would say after each layer, what a head writes and looks for, and which tokens "
                "an answer comes from");
    addModelChoice(command, arguments->models);
    addPromptOptions(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    addAdapterOption(command, arguments->run);
    command
        .add_option("--target", arguments->target,
                    "One token, whose rank and probability are followed: its text, or its id where there is "
                    "no tokenizer")
        ->type_name("T");
    command
        .add_option("--position", arguments->position,
                    "Where it is read, counted from 0; by default all in the JSON, the last one elsewhere")
        ->check(CLI::Range(0, std::numeric_limits<int>::max()))
        ->type_name("P");
    command.add_option("--top", arguments->top, "Tokens to list")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command.add_flag("--halves", arguments->withHalves, "Also between attention and MLP of each layer");
    addHeadOptions(command, *arguments);
    addSaliencyOptions(command, *arguments);
    command
        .add_option("--json", arguments->json,
                    "Where the JSON goes; - is standard output. By default a table is printed")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
