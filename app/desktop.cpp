#include "commands.h"

#include "base/failure.h"
#include "desktop_pair.h"
#include "grid/head_grid_window.h"

#include <QApplication>

#include <cstdlib>
#include <memory>

namespace hs {
namespace {

struct FigureArguments {
    PairArguments pair;
    std::string preset = "head-grid";
    std::string out;
    bool listsPresets = false;
};

bool hasDisplay()
{
    return std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY") || std::getenv("QT_QPA_PLATFORM");
}

/// Qt wants arguments of its own; ours are read already.
struct QtArguments {
    int count = 1;
    char name[10] = "headscope";
    char* words[2] = {name, nullptr};
};

void drawFigure(const FigureArguments& arguments)
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
    if (!hasDisplay())  // Qt would refuse to start, but drawing needs none
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QtArguments qt;
    const QGuiApplication application(qt.count, qt.words);
    orThrow(writeFigure(runPair(arguments.pair), arguments.out));
}

void openWindow(const PairArguments& arguments)
{
    if (!hasDisplay())
        fail(ErrorCode::NotFound,
             "There is no display to open the window on; draw into a file instead: headscope "
             "figure --preset head-grid --out heads.png.");
    QtArguments qt;
    const QApplication application(qt.count, qt.words);
    HeadGridWindow window(runPair(arguments));
    window.show();
    if (QApplication::exec() != 0)
        fail(ErrorCode::Internal, "The window ended with an error.");
}

}  // namespace

void addFigureCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<FigureArguments>();
    CLI::App& command = *app.add_subcommand("figure", "Draw a figure into a .png, .svg or .pdf");
    addPairOptions(command, arguments->pair);
    command.add_option("--preset", arguments->preset, "Which figure")->capture_default_str();
    command.add_option("--out", arguments->out, "Where it goes")->type_name("F");
    command.add_flag("--presets", arguments->listsPresets, "List the figures");
    command.callback([arguments, &action] { action = [arguments] { drawFigure(*arguments); }; });
}

void addDesktop(CLI::App& app, Action& action)
{
    auto pair = std::make_shared<PairArguments>();
    addPairOptions(app, *pair);
    app.final_callback([pair, &app, &action] {
        if (app.get_subcommands().empty())
            action = [pair] { openWindow(*pair); };
    });
}

}  // namespace hs
