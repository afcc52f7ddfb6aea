#include "commands.h"

#include "base/failure.h"
#include "desktop_application.h"
#include "desktop_pair.h"

#include <QGuiApplication>

#include <iostream>
#include <memory>

namespace hs {
namespace {

struct Arguments {
    PairArguments pair;
    std::string preset = "head-grid";
    std::string out;
    bool listsPresets = false;
};

void drawFigure(const Arguments& arguments)
{
    if (arguments.listsPresets) {
        std::cout << "head-grid  every head of both models as a tile, side by side\n";
        return;
    }
    if (arguments.preset != "head-grid")
        fail(ErrorCode::BadRequest,
             "There is no figure \"" + arguments.preset + "\"; headscope figure --presets lists them.");
    if (arguments.out.empty())
        fail(ErrorCode::BadRequest, "The figure has no file to go to; give --out FILE.png, .svg or .pdf.");
    drawWithoutDisplay();
    QtArguments qt;
    const QGuiApplication application(qt.count, qt.words);
    orThrow(writeFigure(runPair(arguments.pair), arguments.out));
}

}  // namespace

void addFigureCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App& command = *app.add_subcommand("figure", "Draw a figure into a .png, .svg or .pdf");
    addPairOptions(command, arguments->pair);
    command.add_option("--preset", arguments->preset, "Which figure")->capture_default_str();
    command.add_option("--out", arguments->out, "Where it goes")->type_name("F");
    command.add_flag("--presets", arguments->listsPresets, "List the figures");
    command.callback([arguments, &action] { action = [arguments] { drawFigure(*arguments); }; });
}

}  // namespace hs
