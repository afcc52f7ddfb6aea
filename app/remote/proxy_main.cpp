#include "app/remote/serve.h"
#include "app/support/messages.h"
#include "base/failure.h"

#include <unistd.h>

// headscope-serve: `headscope serve` without the engine, whose libraries take a second to load.
int main(int count, char** arguments)
{
    CLI::App app("HeadScope's end of the line to another machine; see headscope serve.", "headscope-serve");
    app.set_version_flag("--version", "headscope " HS_VERSION);
    hs::app::ServeArguments serving;
    hs::app::addServeOptions(app, serving);
    CLI11_PARSE(app, count, arguments);
    return hs::app::exitStatusOf([&] {
        hs::app::serve(serving, [](const hs::remote::DaemonOptions&) {
            hs::fail(hs::ErrorCode::BadRequest,
                     "The engine is another program; start headscope serve --daemon.");
        });
    });
}
