#include "app/support/set_command.h"

#include "analyses/set_overview.h"
#include "app/support/messages.h"
#include "app/support/parts.h"
#include "app/support/soundness.h"
#include "base/failure.h"
#include "train/named_prompts.h"

#include <memory>

namespace hs::app {
namespace {

analyses::StudiedPrompt studiedPrompt(const SetTask& task, const analyses::SetOverview& overview,
                                      const text::SetPrompt& prompt,
                                      const std::vector<analyses::StudiedModel>& models)
{
    analyses::StudiedPrompt studied{prompt.index, {}, {}};
    PromptArguments words;
    words.text = prompt.text;
    words.withoutBos = task.withoutBos;
    for (std::size_t model = 0; model < models.size(); ++model) {
        studied.requests.push_back(makeRequest(*task.models[model], words, task.run));
        studied.requests.back().capture = task.capture;
        requireSound(
            [&](const Hooks& hooks) { return models[model].engine->run(studied.requests.back(), hooks); });
    }
    if (task.kind == analyses::SetStudyKind::Maps && overview.align == analyses::SetAlign::Slots)
        studied.cells =
            analyses::cellsOf(overview, prompt, task.models.front()->tokenizer.get(), !task.withoutBos);
    return studied;
}

analyses::SetResult startOf(const SetTask& task, const analyses::SetOverview& overview)
{
    analyses::SetResult result;
    result.about = task.about;
    result.about["conditions"] = conditionsOf(task.set.prompts, task.run, task.withoutBos);
    if (!task.set.pattern.empty())
        result.about["template"] = task.set.pattern;
    if (task.kind == analyses::SetStudyKind::Maps) {
        result.about["align"] = wordOf(overview.align);
        result.about["average"] = wordOf(task.set.average);
    }
    result.promptCount = overview.count;
    if (task.set.resume.empty())
        return result;
    analyses::SetResult stopped =
        analyses::setResultFrom(readPartJson(task.set.resume), task.set.resume, task.set.mapBudget());
    if (stopped.about != result.about || stopped.promptCount != result.promptCount)
        fail(ErrorCode::BadRequest, task.set.resume +
                                        " is of another set, model or options; resume with those it was made "
                                        "with, or leave out --resume.");
    return stopped;
}

}  // namespace

void addSetOptions(CLI::App& command, SetArguments& arguments)
{
    auto* const file =
        command
            .add_option(
                "--prompts", arguments.prompts,
                "Many prompts: a text with one a line, JSON lines or CSV with \"text\", a folder of *.txt, "
                "or task:NAME:COUNT; means over all of them")
            ->type_name("F");
    file->excludes("--text")->excludes("--text-file")->excludes("--tokens")->excludes("--chat");
    command
        .add_option("--template", arguments.pattern,
                    "\"{name} gave a {thing}\": the prompts' file has a value for each name")
        ->needs(file)
        ->type_name("S");
    addShardOption(command, arguments.shard, *file);
    command
        .add_option("--resume", arguments.resume,
                    "Go on from the JSON that a stopped run over the same prompts wrote")
        ->needs(file)
        ->type_name("F");
}

void addAverageOptions(CLI::App& command, SetArguments& arguments)
{
    CLI::Option* const file = command.get_option("--prompts");
    command
        .add_option_function<std::string>(
            "--align",
            [&arguments](const std::string& word) {
                arguments.align = chosenBy<analyses::SetAlign>(word, "align");
            },
            "Which positions of prompts belong together: from the start, from the end, or by the slots of a "
            "template; "
            "by default slots where there are any")
        ->check(CLI::IsMember(allWords<analyses::SetAlign>()))
        ->needs(file);
    addWordOption(command, "--average", arguments.average,
                  "What becomes of a cell: its mean, largest or deviation")
        ->needs(file);
}

void runSetTask(const SetTask& task)
{
    const Shard shard = parseShard(task.set.shard);
    for (const engine::Workspace* const model : task.models)
        checkRunOptions(*model, task.run);
    text::PromptSet set = train::openPrompts(task.set.prompts, text::PromptNeeds::Text,
                                             task.models.front()->tokenizer.get(), task.set.pattern);
    const analyses::SetOverview overview =
        task.kind == analyses::SetStudyKind::Maps
            ? analyses::overviewOf(set, task.models.front()->tokenizer.get(), !task.withoutBos,
                                   task.set.align)
            : analyses::SetOverview{set.count()};
    std::vector<engine::Engine> engines(task.models.size());
    std::vector<analyses::StudiedModel> models;
    for (std::size_t model = 0; model < engines.size(); ++model) {
        const engine::Workspace* const workspace = task.models[model];
        models.push_back(
            {&engines[model], workspace->model->spec().headShape(),
             [workspace](std::int64_t token) { return tokenText(workspace->tokenizer.get(), token); }});
    }
    const analyses::SetResult start = startOf(task, overview);
    analyses::SetStudy study(task.kind, models, start, overview.align, task.set.mapBudget());
    ProgressLine progress("Prompt");
    const Hooks hooks{progress.callback(), interruptToken()};
    try {
        while (const std::optional<text::SetPrompt> prompt = set.next()) {
            if (!shard.has(prompt->index) || start.has(prompt->index))
                continue;
            std::vector<text::LeftOutPrompt> leftOut;
            auto studied = text::doneOrLeftOut(
                *prompt, leftOut, [&] { return studiedPrompt(task, overview, *prompt, models); });
            if (studied)
                study.add(std::move(*studied), hooks);
            else
                study.leaveOut(prompt->index, leftOut.front().problem);
        }
        study.finish(hooks);
    } catch (const Failure& failure) {
        if (failure.error().code != ErrorCode::Cancelled)
            throw;
        const analyses::SetResult result = study.take();
        if (result.rows.empty())
            throw;
        writeTable(result, task.files);
        fail(ErrorCode::Cancelled,
             "Stopped after " + std::to_string(result.rows.size()) +
                 " prompts, whose results were written; go on with --resume and the JSON.");
    }
    writeSet(study.take(), task.files);
}

}  // namespace hs::app
