#include "app/desktop/figure_options.h"

#include "render/colour_map.h"

namespace hs::app {
namespace {

void addContent(CLI::App& command, FigureOptions& options)
{
    const std::string group = "What it shows";
    const auto text = [&](const char* name, std::string& value, const char* help, const char* type) {
        command.add_option(name, value, help)->type_name(type)->group(group);
    };
    text("--only", options.only, "One model alone: dense or sparse", "SIDE");
    command.get_option("--only")->check(CLI::IsMember({"dense", "sparse"}));
    text("--heads", options.heads, "Heads of both models, in order: L0H3,L2H*", "HEADS");
    text("--dense-heads", options.denseHeads, "Heads of the left model", "HEADS");
    text("--sparse-heads", options.sparseHeads, "Heads of the right model", "HEADS");
    text("--order", options.order, "Metric that ranks heads (see headscope metrics), kind or likeness",
         "METRIC");
    command.add_flag("--ascending", options.isAscending, "Smallest first")->group(group);
    command
        .add_flag("--active", options.hasOnlyActive, "Leave out heads without a weight above the threshold")
        ->group(group);
    command.add_flag("--all-heads", options.hasAll, "Show empty heads as well")->group(group);
    command.add_option("--layer-step", options.layerStep, "Of a matrix: every n-th layer")
        ->check(CLI::Range(1, 10000))
        ->group(group);
    text("--head-range", options.headRange, "Of a matrix: heads from-to, such as 0-15", "A-B");
    command.add_option("--columns", options.columns, "Tiles a row of a list")
        ->check(CLI::Range(1, 10000))
        ->group(group);
    command.add_flag("--stacked", options.isStacked, "One model above the other")->group(group);
    command.add_flag("--side-by-side", options.isSideBySide, "One model beside the other")->group(group);
    command.add_option("--key", options.key, "Position of key-query and attribution, from 0")->group(group);
    command.add_option("--query", options.query, "Position of key-query, from 0")->group(group);
    command.add_flag("--one-based", options.isOneBased, "Positions count from 1, as in papers")->group(group);
    command.add_option("--threshold", options.threshold, "Weight from which an edge counts")
        ->check(CLI::Range(0.0, 1.0))
        ->group(group);
    text("--metric", options.metric,
         "Of summary and history (see headscope metrics); of summary also logit, the share of the answer",
         "METRIC");
    text("--units", options.units,
         "Of head-grid, summary, attribution and explained-effect: heads, or heads+mlps; by default heads",
         "U");
    command.get_option("--units")->check(CLI::IsMember(allWords<Units>()));
    text("--target", options.target, "Token that is explained; by default the predicted one", "T");
    text("--versus", options.versus, "Token it is compared with", "U");
    text("--corrupt", options.corrupted, "Of explained-effect: the prompt with the clue changed", "S");
    command.add_option("--share", options.share, "Of attribution and graph")
        ->check(CLI::Range(0.0, 1.0))
        ->group(group);
    command.add_option("--level", options.level, "Of explained-effect")
        ->check(CLI::Range(0.0, 1.0))
        ->group(group);
    text("--dense-result", options.denseResult, "Result of circuit, attribute or sweep to draw, left", "F");
    text("--sparse-result", options.sparseResult, "Result of circuit, attribute or sweep to draw, right",
         "F");
    text("--dense-features", options.denseFeatures,
         "Of graph and attribution: folder of transcoders, left; by default the one beside the model", "DIR");
    text("--sparse-features", options.sparseFeatures, "Folder of transcoders, right", "DIR");
    text("--dense-title", options.denseTitle, "Title of the left model", "S");
    text("--sparse-title", options.sparseTitle, "Title of the right model", "S");
}

void addForm(CLI::App& command, FigureOptions& options)
{
    const std::string group = "How it looks";
    command
        .add_option("--width", options.width, "Of the page: 85mm, 3.5in, one (85 mm) or two (180 mm) columns")
        ->type_name("W")
        ->group(group);
    command.add_option("--font", options.font, "Family of the text")->type_name("NAME")->group(group);
    command.add_option("--font-size", options.fontSize, "In points")
        ->check(CLI::Range(5.0, 72.0))
        ->group(group);
    command.add_option("--line-width", options.lineWidth, "In points")
        ->check(CLI::Range(0.05, 10.0))
        ->group(group);
    command.add_option("--dpi", options.dotsPerInch, "Of a .png")
        ->check(CLI::Range(10.0, 4800.0))
        ->group(group);
    command.add_flag("--transparent", options.isTransparent, "No white ground")->group(group);
    const std::string maps = render::ColourMap::names().join(QStringLiteral(", ")).toStdString();
    command.add_option("--colours", options.colours, "Colour map: " + maps)->type_name("MAP")->group(group);
    command.add_option("--scale", options.scale, "linear, sqrt or log")
        ->check(CLI::IsMember(allWords<render::Scale>()))
        ->group(group);
    command.add_option("--limits", options.limits, "Weights of the first and the last colour: 0,0.5")
        ->type_name("A,B")
        ->group(group);
    command.add_flag("--per-head", options.isPerHead, "Each head's largest weight gets the last colour")
        ->group(group);
    command
        .add_option("--labels", options.labels, "Corner: top-right, top-left, bottom-right or bottom-left")
        ->type_name("CORNER")
        ->group(group);
    command.add_flag("--no-colour-bar", options.hasNoColourBar, "Leave out the colour bar")->group(group);
    command.add_option("--caption", options.caption, "Text below the figure")->type_name("S")->group(group);
    command.add_flag("--no-caption", options.hasNoCaption, "Leave out the text below")->group(group);
}

}  // namespace

void addFigureOptions(CLI::App& command, FigureOptions& options)
{
    command.add_option("--preset", options.preset, "Which figure; by default head-grid")->type_name("NAME");
    command.add_option("--dense", options.dense, "The model at the left; by default demo:dense")
        ->type_name("DIR");
    command.add_option("--sparse", options.sparse, "The model at the right; by default demo:sparse")
        ->type_name("DIR");
    addHostOption(command, options.host);
    addPromptOptions(command, options.prompt);
    addBlocksOption(command, options.prompt);
    addRunOptions(command, options.run, "--scale-features");
    addAdapterOption(command, options.run);
    addOtherSideOptions(command, options.other);
    addContent(command, options);
    addForm(command, options);
}

}  // namespace hs::app
