#include "app/support/commands.h"

#include "app/desktop/application.h"
#include "app/desktop/figure_command.h"
#include "app/support/arguments.h"
#include "app/support/line_messages.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "control/figures/figure_recipe.h"
#include "figures/parts/drawing_painter.h"
#include "render/font_check.h"
#include "service/any_backend.h"
#include "service/far_source.h"

#include <QGuiApplication>

#include <cstdio>
#include <memory>

namespace hs::app {
namespace {

void listPresets()
{
    for (const control::PresetName& preset : control::presetNames())
        std::printf("%-17s %s\n", preset.word, preset.shows);
}

control::Session startingPoint(const FigureArguments& arguments)
{
    if (arguments.recipe.empty())
        return {};
    return orThrow(arguments.recipe == "-" ? control::readSession(textIn("-"), "standard input")
                                           : control::readFigureSession(arguments.recipe));
}

/// Where the figure goes: by default next to the figure it is made from.
std::filesystem::path outputOf(const FigureArguments& arguments)
{
    if (!arguments.out.empty()) {
        figures::formatOf(arguments.out);
        return arguments.out;
    }
    const std::filesystem::path recipe = arguments.recipe;
    const bool isPicture = !recipe.empty() && guarded([&] { return figures::formatOf(recipe); }).ok();
    if (!isPicture)
        fail(ErrorCode::BadRequest,
             "The figure has no file to go to; give --out FILE.pdf, .svg, .png or .html.");
    return recipe.parent_path() / (recipe.stem().string() + "-again" + recipe.extension().string());
}

/// Where the model is opened. The figure does not tell: it is the same wherever it was computed.
std::string sourceOf(const std::string& model, const FigureArguments& arguments)
{
    const std::string& host = arguments.options.host;
    return host.empty() ? model : service::toString({host, service::sourceThere(model)});
}

std::shared_ptr<const service::OpenModel> openModel(service::Backend& backend,
                                                    const control::Session& session, Side side,
                                                    const FigureArguments& arguments)
{
    const std::string source = sourceOf(session.document.side(side).model.toStdString(), arguments);
    ProgressLine progress("Loading");
    auto model = orThrow(backend.open({source, arguments.device, arguments.dtype, arguments.options.run.tf32},
                                      {progress.callback(), interruptToken()}));
    for (const std::string& note : model->notes)
        say(note);
    const std::string& known = session.traces[indexOf(side)].fingerprint;
    if (!known.empty() && known != model->fingerprint)
        say(model->title + " is not the model this figure was made with: its files have changed, and the "
                           "figure may differ.");
    return model;
}

void sayNotes(const figures::Drawing& drawing)
{
    for (const QString& note : drawing.notes())
        say(note.toStdString());
    if (const QString problem = render::fontProblem(); !problem.isEmpty())
        return say(problem.toStdString());
    const QStringList missing = figures::missingGlyphs(drawing);
    if (!missing.isEmpty())
        say("No installed font has " + missing.mid(0, 8).join(QLatin1Char(' ')).toStdString() +
            "; install one that has (fonts-noto-core, fonts-noto-cjk, fonts-noto-color-emoji) for these "
            "letters.");
}

}  // namespace

void drawFigure(const FigureArguments& arguments)
{
    if (arguments.listsPresets)
        return listPresets();
    const std::filesystem::path out = outputOf(arguments);
    drawWithoutDisplay();
    QtArguments qt;
    const QGuiApplication application(qt.count, qt.words);

    control::Session session = startingPoint(arguments);
    control::Document& document = session.document;
    applyOptions(arguments.options, document);

    LineMessages messages;
    const auto machines = std::make_shared<service::Machines>();
    machines->onChange(
        [&](const service::Machines::Machine& machine) { messages.tell(machine.host, machine.state); });
    service::AnyBackend backend(machines);
    std::array<std::shared_ptr<const service::OpenModel>, 2> models;  // [Side]
    for (const Side side : kSides) {
        if (!document.figure.sides[indexOf(side)].isShown)
            continue;
        models[indexOf(side)] = openModel(backend, session, side, arguments);
        applyHeads(arguments.options, side, models[indexOf(side)]->heads, document);
    }
    ProgressLine progress("Layer");
    const auto figure = orThrow(control::makeFigure(backend, control::figureRequest(document, models),
                                                    {progress.callback(), interruptToken()}));
    if (figures::formatOf(out) != figures::Format::Html)  // browsers have their own letters and room
        sayNotes(figure->draw(document.figure.form));
    orThrow(control::writeMadeFigure(*figure, document, out));
    if (arguments.out.empty())
        say("Wrote " + out.string());
    if (!arguments.data.empty())
        orThrow(figures::writeTable(figures::tableOf(figure->content), arguments.data));
    if (!arguments.spec.empty())
        writeOutput(arguments.spec, control::stampOf(*figure, document).recipe);
}

void addFigureCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<FigureArguments>();
    CLI::App& command = *app.add_subcommand(
        "figure", "Draw a figure into a .pdf, .svg or .png, or a page to explore into an .html");
    command
        .add_option("recipe", arguments->recipe,
                    "A figure's spec (.json; - for standard input), a session, or a figure that HeadScope "
                    "wrote, to make again")
        ->type_name("FILE");
    command.add_option("--out", arguments->out, "Where it goes: .pdf, .svg, .png or .html")->type_name("F");
    command.add_option("--data", arguments->data, "Also write the numbers behind it: .csv or .npz")
        ->type_name("F");
    command.add_option("--spec", arguments->spec, "Also write what makes it again, as JSON")->type_name("F");
    command.add_flag("--presets", arguments->listsPresets, "List the figures");
    addFigureOptions(command, arguments->options);
    command.add_option("--device", arguments->device, kDeviceWords)->capture_default_str();
    command.add_option("--dtype", arguments->dtype, "auto, f32, bf16 or f16")->capture_default_str();
    command.callback([arguments, &action] { action = [arguments] { drawFigure(*arguments); }; });
}

}  // namespace hs::app
