#include "app/support/commands.h"

#include "app/commands/head_corpus.h"
#include "app/commands/head_page_html.h"
#include "app/commands/head_page_text.h"
#include "app/commands/head_pages_folder.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/parts.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "base/text_format.h"

#include <algorithm>
#include <map>
#include <memory>

namespace hs::app {
namespace {

struct HeadsArguments {
    engine::ModelArguments model;
    RunArguments run;
    std::string corpus = kShippedText;
    int rows = 256;
    int length = 128;
    int top = 8;
    int ablationRows = 4;
    std::string heads;
    bool withoutBos = false;
    bool withoutWeights = false;
    bool isResumed = false;
    std::string folder;
    std::vector<std::string> opened;
    std::string html;
};

/// Ascending; all where nothing is said.
std::vector<HeadId> chosenHeads(const std::string& list, const HeadShape& shape)
{
    std::vector<HeadId> heads = list.empty() ? shape.all() : namedHeads(list, shape);
    std::ranges::sort(heads);
    return heads;
}

Json conditionsOfPages(const HeadsArguments& arguments, const engine::Workspace& workspace,
                       const std::string& corpus, const std::vector<HeadId>& heads)
{
    Json conditions = conditionsOf(corpus, arguments.run, arguments.withoutBos);
    Json names = Json::array();
    for (const HeadId head : heads)
        names.push_back(toString(head));
    conditions.update({{"model", workspace.fingerprint},
                       {"dtype", std::string(model::name(workspace.model->facts().dtype))},
                       {"rows", arguments.rows},
                       {"length", arguments.length},
                       {"top", arguments.top},
                       {"ablation_rows", arguments.ablationRows},
                       {"weights", !arguments.withoutWeights},
                       {"heads", std::move(names)}});
    return conditions;
}

/// "31 induction, 12 sink".
std::string kindsIn(const analyses::HeadPages& pages)
{
    std::map<stats::HeadKind, int> counts;
    for (const analyses::HeadPage& page : pages.pages)
        if (page.kind)
            ++counts[*page.kind];
    std::string text;
    for (const auto& [kind, count] : counts)
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(wordOf(kind));
    return text;
}

void makePages(const HeadsArguments& arguments)
{
    if (arguments.folder.empty())
        fail(ErrorCode::BadRequest,
             "There is no place for the pages; give a folder with --json, or look at some with --open.");
    if (!arguments.run.scales.empty())
        fail(ErrorCode::BadRequest, "Pages are made without scaled features; leave out --scale.");
    const engine::Workspace workspace = openWorkspace(arguments.model);
    const std::string corpusFile = corpusPath(arguments.corpus);
    analyses::HeadPagesRequest request;
    request.heads = chosenHeads(arguments.heads, workspace.model->spec().headShape());
    const Json conditions = conditionsOfPages(arguments, workspace, corpusFile, request.heads);
    HeadPagesFolder folder(arguments.folder, conditions, arguments.isResumed);
    if (folder.isComplete()) {
        say(arguments.folder + " has all pages; nothing is left to do.");
        return;
    }
    HeadCorpus corpus(workspace, {corpusFile, arguments.rows, arguments.length, arguments.withoutBos});
    request.run.model = workspace.model;
    request.run.adapters = adaptersOf(workspace, arguments.run);
    request.run.ablations = parseAblations(arguments.run.ablate, workspace.model->spec().headShape());
    request.run.gate = engine::chooseGate(arguments.run.gateOver(), workspace.model->spec().gateBias);
    request.run.tf32 = arguments.run.tf32;
    request.examples = arguments.top;
    request.rows = corpus.rows();
    request.ablationRows = arguments.ablationRows;
    request.weights = !arguments.withoutWeights;

    analyses::HeadPagesStudy study(request);
    folder.resume(study);
    say("Reading " + formatCount(corpus.rows() - study.done()) + " rows.");
    ProgressLine progress("Row");
    const Hooks hooks{progress.callback(), interruptToken()};
    try {
        for (int skipped = study.done(); skipped > 0 && corpus.next(); --skipped) {
        }
        while (std::optional<HeadCorpus::Row> row = corpus.next()) {
            study.add(row->number, std::move(row->tokens), hooks);
            folder.keepSometimes(study);
        }
        study.finishRows(hooks);
        const analyses::HeadPages pages = study.pages(hooks);
        folder.write(pages,
                     {workspace.model->facts().name, std::filesystem::path(corpusFile).filename().string(),
                      std::string(model::name(workspace.model->facts().dtype)), conditions},
                     [&](std::int64_t token) { return tokenText(workspace.tokenizer.get(), token); });
        say("Read " + formatCount(pages.pages.front().tally.counts().positions) + " tokens in " +
            formatCount(pages.rows) + " rows; wrote pages of " + formatCount(std::ssize(pages.pages)) +
            " heads to " + arguments.folder + ": " + kindsIn(pages) + ".");
    } catch (const Failure& failure) {
        if (failure.error().code != ErrorCode::Cancelled)
            throw;
        folder.keep(study);
        fail(ErrorCode::Cancelled,
             "Stopped after " + formatCount(study.done()) + " rows, which are kept; go on with --resume.");
    }
    reportLeftOut(corpus.leftOut(), corpus.rows());
}

/// The heads of a tree that a list names; none where nothing is said.
std::vector<HeadId> headsOfTree(const std::string& list, const analyses::HeadTree& tree)
{
    if (list.empty())
        return {};
    const HeadId last = tree.heads.rbegin()->first;
    HeadShape shape{last.layer + 1, 0, 1};
    for (const auto& [head, row] : tree.heads)
        shape.heads = std::max(shape.heads, head.head + 1);
    return chosenHeads(list, shape);
}

void showPages(const HeadsArguments& arguments)
{
    requireWritable(arguments.html);
    std::vector<analyses::HeadTree> trees;
    for (const std::string& folder : arguments.opened)
        trees.push_back(analyses::openHeadTree(folder));
    const std::vector<HeadId> heads = headsOfTree(arguments.heads, trees.front());
    if (!arguments.html.empty()) {
        if (heads.empty())
            fail(ErrorCode::BadRequest, "A page for a browser shows chosen heads; name them with --heads.");
        writeOutput(arguments.html, headPagesHtml(trees, heads, arguments.top));
        return;
    }
    std::string text;
    for (const HeadId head : heads)
        for (const analyses::HeadTree& tree : trees)
            text += (text.empty() ? "" : "\n") + headPageText(tree, head, arguments.top);
    if (heads.empty())
        text = trees.size() == 1
                   ? headTreeText(trees.front())
                   : headDifferenceText(trees[0], trees[1], analyses::compareHeadTrees(trees[0], trees[1]));
    writeOutput("", text);
}

}  // namespace

void addHeadsCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<HeadsArguments>();
    CLI::App& command = *app.add_subcommand(
        "heads",
        "A page for every head: what it does over a text, with examples and the effect of its ablation");
    addModelOptions(command, arguments->model);
    command.get_option("--model")->required(false);
    addRunOptions(command, arguments->run);
    addAdapterOption(command, arguments->run);
    command
        .add_option(
            "--corpus", arguments->corpus,
            "What the model reads: a text, which is cut into rows, or prompts, each of them a row: JSON "
            "lines or CSV with \"text\", a folder of *.txt, task:NAME:COUNT; demo:text is a piece of "
            "Shakespeare")
        ->type_name("F")
        ->capture_default_str();
    const auto count = [&](const char* name, int& value, int least, const char* help) {
        command.add_option(name, value, help)->check(CLI::Range(least, 1 << 24))->capture_default_str();
    };
    count("--rows", arguments->rows, 1, "How many rows are read at most");
    count("--length", arguments->length, 2, "Tokens of a row of a text, the one that starts it included");
    count("--top", arguments->top, 1, "Examples that each page has, and tokens of each sort");
    count("--ablation-rows", arguments->ablationRows, 0,
          "Rows, spread over the text, in which each head is switched off to see which tokens need it; 0: "
          "none");
    command.add_option("--heads", arguments->heads, "Only these, L5H1,L2H*; with --open, print their pages")
        ->type_name("LIST");
    command.add_flag("--no-bos", arguments->withoutBos, "Rows begin without the token that starts a text");
    command.add_flag("--no-weights", arguments->withoutWeights,
                     "Leave out what heads write and look for by their weights, which goes through the whole "
                     "vocabulary for every layer");
    auto* const folder =
        command
            .add_option("--json", arguments->folder,
                        "The folder that the pages go to, laid out like HeadVis's: config.json, "
                        "scatter_data.json, heads/L0H0.json")
            ->type_name("DIR");
    command.add_flag("--resume", arguments->isResumed, "Go on with pages that were stopped")->needs(folder);
    auto* const opened = command
                             .add_option("--open", arguments->opened,
                                         "Look at such a folder, HeadVis's or our own, instead; of two, list "
                                         "the heads that differ most")
                             ->type_name("DIR")
                             ->expected(1, 2)
                             ->excludes(folder);
    command
        .add_option("--html", arguments->html,
                    "With --open: the pages of --heads as one file for a browser; - is standard output")
        ->type_name("F")
        ->needs(opened);
    command.callback([arguments, &action] {
        action = [arguments] { arguments->opened.empty() ? makePages(*arguments) : showPages(*arguments); };
    });
}

}  // namespace hs::app
