#include "desktop_pair.h"

#include "base/failure.h"
#include "engine/engine.h"
#include "words.h"
#include "workspace.h"

namespace hs {
namespace {

constexpr const char* kDemoPrompt = "When Mary and John went to the store , John gave a drink to";

GridPanel runPanel(const std::string& model, const QString& title, const PairArguments& arguments)
{
    const Workspace workspace = openWorkspace({model, arguments.device, arguments.dtype});
    PromptArguments prompt = arguments.prompt;
    if (!prompt.text && prompt.textFile.empty() && prompt.tokens.empty())
        prompt.text = kDemoPrompt;
    const RunRequest request = makeRequest(workspace, prompt, arguments.run);
    Engine engine;
    GridPanel panel;
    panel.title = title.isEmpty() ? QString::fromStdString(workspace.model->facts().name) : title;
    panel.result = orThrow(engine.run(request, {{}, interruptToken()}));
    for (int index = 0; index < panel.result.heads.total(); ++index)
        panel.heads.push_back(panel.result.heads.at(index));
    for (const auto& [head, ablation] : request.ablations)
        panel.ablated.insert(head);
    panel.caption = describeRun(panel);
    return panel;
}

}  // namespace

void addPairOptions(CLI::App& command, PairArguments& arguments)
{
    addPairModelOptions(command, arguments.dense, arguments.sparse);
    addPromptOptions(command, arguments.prompt);
    addRunOptions(command, arguments.run);
    command.add_option("--device", arguments.device, "auto, cpu, cuda or cuda:N")->capture_default_str();
    command.add_option("--dtype", arguments.dtype, "auto, f32, bf16 or f16")->capture_default_str();
}

GridFigure runPair(const PairArguments& arguments)
{
    const auto demoTitle = [](const std::string& model) {
        if (model == "demo:dense")
            return QStringLiteral("Demo, dense");
        return model == "demo:sparse" ? QStringLiteral("Demo, sparse") : QString();
    };
    GridFigure figure;
    figure.panels.push_back(runPanel(arguments.dense, demoTitle(arguments.dense), arguments));
    figure.panels.push_back(runPanel(arguments.sparse, demoTitle(arguments.sparse), arguments));
    return figure;
}

}  // namespace hs
