#include "app/support/commands.h"

#include "app/desktop/application.h"
#include "app/desktop/window_arguments.h"
#include "app/desktop/window_link.h"
#include "base/failure.h"
#include "control/explorer/explorer.h"
#include "window/main_window.h"
#include "window/theme.h"

#include <QApplication>

#include <memory>

namespace hs::app {

void openWindow(const DesktopArguments& arguments)
{
    if (!hasDisplay())
        fail(ErrorCode::NotFound,
             "There is no display to open the window on; draw into a file instead: headscope "
             "figure --preset head-grid --out heads.png.");
    nameApplication();
    QtArguments qt;
    QApplication application(qt.count, qt.words);
    window::Setup setup = windowSetup(arguments);
    setup.offersTour = true;
    window::MainWindow window(std::move(setup));
    window::applyTheme(application, window.explorer().preferences().theme);
    if (arguments.link)
        new WindowLink(*arguments.link, window);  // owned by the window
    window.show();
    if (QApplication::exec() != 0)
        fail(ErrorCode::Internal, "The window ended with an error.");
}

void addDesktop(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<DesktopArguments>();
    addDesktopOptions(app, *arguments);
    app.final_callback([arguments, &app, &action] {
        if (app.get_subcommands().empty())
            action = [arguments] { openWindow(*arguments); };
    });
}

}  // namespace hs::app
