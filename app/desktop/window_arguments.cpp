#include "app/desktop/window_arguments.h"

#include "app/support/arguments.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "control/document/demo_prompt.h"
#include "control/document/preferences.h"
#include "maps/maps_file.h"
#include "model/environment.h"
#include "service/any_backend.h"
#include "service/far_source.h"

#include <QFile>
#include <QStandardPaths>

namespace hs::app {
namespace {

std::string promptOf(const DesktopArguments& arguments)
{
    if (!arguments.textFile.empty()) {
        PromptArguments prompt;
        prompt.textFile = arguments.textFile;
        return promptText(prompt);
    }
    return arguments.text.empty() ? control::kDemoPrompt : arguments.text;
}

}  // namespace

QString modelSource(const std::string& model)
{
    const auto absolute = [](const std::filesystem::path& path) {
        return std::filesystem::absolute(path).lexically_normal().string();
    };
    if (const auto maps = maps::mapsSource(model))
        return QString::fromStdString(absolute(maps->file) + (maps->part.empty() ? "" : "#" + maps->part));
    std::error_code problem;
    const bool isPath = std::filesystem::exists(model, problem);
    return QString::fromStdString(isPath ? absolute(model) : model);
}

QString modelSource(const std::string& model, const std::string& host)
{
    return host.empty() ? modelSource(model) : QString::fromStdString(service::toString({host, model}));
}

void addDesktopOptions(CLI::App& command, DesktopArguments& arguments)
{
    command.add_option("session", arguments.session, "A .headscope session to open")
        ->type_name("FILE")
        ->check([](const std::string& word) {
            return word.ends_with(".headscope")
                       ? std::string()
                       : "there is no command and no .headscope session of this name";
        });
    addPairModelOptions(command, arguments.dense, arguments.sparse);
    CLI::Option* const text = command.add_option("--text", arguments.text, "The prompt")->type_name("S");
    command.add_option("--text-file", arguments.textFile, "A file with the prompt; - for standard input")
        ->type_name("F")
        ->excludes(text);
    command.add_flag("--no-bos", arguments.withoutBos, "Leave out the token that starts a text");
    command.add_option("--device", arguments.device, kDeviceWords)->type_name("DEVICE");
    addHostOption(command, arguments.host);
}

window::Setup windowSetup(const DesktopArguments& arguments)
{
    window::Setup setup;
    setup.machines = std::make_shared<service::Machines>();
    setup.backend = std::make_unique<service::AnyBackend>(setup.machines);
    setup.settings = std::make_unique<QSettings>();
    setup.recoveryFolder =
        QFile::encodeName(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
                          QStringLiteral("/recovery"))
            .toStdString();
    setup.device = arguments.device;
    setup.findModels = [](const QStringList& recent, const control::Preferences& preferences) {
        return start::listModels(recent, preferences, model::Environment::fromProcess());
    };
    setup.document.look = control::loadPreferences(*setup.settings).look;
    setup.document.prompt = QString::fromStdString(promptOf(arguments));
    setup.document.hasBos = !arguments.withoutBos;
    setup.document.side(Side::Left).model = modelSource(arguments.dense, arguments.host);
    setup.document.side(Side::Right).model = modelSource(arguments.sparse, arguments.host);
    if (arguments.sparse.empty())
        setup.document.arrangement = control::Arrangement::LeftOnly;
    if (!arguments.session.empty())
        setup.sessionFile = std::filesystem::absolute(arguments.session);
    return setup;
}

}  // namespace hs::app
