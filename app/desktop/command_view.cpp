#include "app/support/commands.h"

#include "app/desktop/figure_command.h"
#include "app/desktop/window_arguments.h"
#include "base/failure.h"
#include "maps/maps_file.h"

#include <memory>

namespace hs::app {
namespace {

struct ViewArguments {
    std::vector<std::string> files;
    std::string text;
    std::string out;
    std::string preset;
    std::optional<int> link;
};

/// What the two sides show; the second is empty if there is nothing more.
std::array<std::string, 2> sidesOf(const ViewArguments& arguments)
{
    const std::string& first = arguments.files.front();
    const auto source = maps::mapsSource(first);
    if (!source)
        fail(ErrorCode::NotFound,
             first + " is not a file of attention maps; give an NPZ or safetensors file that "
                     "has an array called attention.");
    const maps::MapsFile file = maps::MapsFile::open(source->file);
    if (arguments.files.size() > 1)
        return {first, arguments.files[1]};
    if (!source->part.empty() || file.blocks().size() < 2)
        return {first, ""};
    const auto partOf = [&](std::size_t block) {
        const std::string& name = file.blocks()[block].name;
        return first + (name.empty() ? "" : "#" + name);
    };
    return {partOf(0), partOf(1)};
}

void draw(const std::array<std::string, 2>& sides, const ViewArguments& arguments)
{
    FigureArguments figure;
    figure.out = arguments.out;
    figure.options.preset = arguments.preset;
    figure.options.dense = sides[0];
    figure.options.sparse = sides[1];
    if (sides[1].empty())
        figure.options.only = "dense";
    if (!arguments.text.empty())
        figure.options.prompt.text = arguments.text;
    drawFigure(figure);
}

void view(const ViewArguments& arguments)
{
    const std::array<std::string, 2> sides = sidesOf(arguments);
    if (!arguments.out.empty())
        return draw(sides, arguments);
    DesktopArguments window;
    window.dense = sides[0];
    window.sparse = sides[1];
    if (!arguments.text.empty())
        window.prompt.text = arguments.text;
    window.link = arguments.link;
    openWindow(window);
}

}  // namespace

void addViewCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<ViewArguments>();
    CLI::App& command = *app.add_subcommand("view", "Look at attention maps that another program saved");
    command
        .add_option(
            "files", arguments->files,
            "An NPZ or safetensors file with attention, FILE#BLOCK or FILE#BLOCK/ITEM; and another one, or "
            "a model, to show beside it")
        ->required()
        ->expected(1, 2)
        ->type_name("FILE");
    command.add_option("--text", arguments->text, "The prompt of a model beside it")->type_name("S");
    command
        .add_option(
            "--out", arguments->out,
            "Draw into this .pdf, .svg, .png or .html instead of opening the window; figure --dense FILE has "
            "more options")
        ->type_name("F");
    command.add_option("--preset", arguments->preset, "Which figure; by default head-grid")
        ->type_name("NAME");
    addLinkOption(command, arguments->link);
    command.callback([arguments, &action] { action = [arguments] { view(*arguments); }; });
}

}  // namespace hs::app
