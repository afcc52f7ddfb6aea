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
    addPromptOptions(command, arguments.prompt);
    addBlocksOption(command, arguments.prompt);
    addOtherPromptOption(command, arguments.other);
    command.add_option("--device", arguments.device, kDeviceWords)->type_name("DEVICE");
    addHostOption(command, arguments.host);
    addLinkOption(command, arguments.link);
}

void addLinkOption(CLI::App& command, std::optional<int>& link)
{
    command.add_option("--link", link, "Number of the socket over which Python and the window talk")
        ->group("");
}

void applyPrompt(const PromptArguments& prompt, control::Document& document)
{
    if (!prompt.tokens.empty())
        control::setTokenIds(document, QString::fromStdString(prompt.tokens));
    else if (prompt.isGiven())
        control::setPrompt(document, QString::fromStdString(promptText(prompt)), prompt.isChat());
    if (prompt.withoutBos)
        control::setBos(document, false);
    if (!prompt.blocks.empty())
        document.blocks = orThrow(text::parseBlocks(prompt.blocks));
    if (document.prompt().text.isEmpty() && document.prompt().tokenIds.isEmpty())
        control::setPrompt(document, QString::fromLatin1(control::kDemoPrompt));
}

void applyOther(const OtherSide& other, control::Document& document)
{
    if (!other.text)
        return;
    document.alike.prompt = false;
    control::setPrompt(document, QString::fromStdString(*other.text), false, Side::Right);
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
    applyPrompt(arguments.prompt, setup.document);
    applyOther(arguments.other, setup.document);
    setup.document.side(Side::Left).model = modelSource(arguments.dense, arguments.host);
    setup.document.side(Side::Right).model = modelSource(arguments.sparse, arguments.host);
    if (arguments.sparse.empty())
        setup.document.arrangement = control::Arrangement::LeftOnly;
    if (!arguments.session.empty())
        setup.sessionFile = std::filesystem::absolute(arguments.session);
    return setup;
}

}  // namespace hs::app
