#include "base/child_process.h"

#include "support/catch.h"
#include "support/refusals.h"

#include <csignal>
#include <unistd.h>

using namespace hs;

TEST_CASE("what a program prints and how it ends is known")
{
    const ChildOutput output = outputOf({"sh", "-c", "echo out; echo err >&2; exit 3"});
    CHECK(output.exitCode == 3);
    CHECK(output.out == "out\n");
    CHECK(output.err == "err\n");
    CHECK(outputOf({"sh", "-c", "kill -9 $$"}).exitCode == 128 + SIGKILL);
    CHECK(test::isRefused([] { outputOf({"/no/such/program"}); }, "/no/such/program cannot be started"));
}

TEST_CASE("a program has the environment of this one but for what is set, and none of its blocked signals")
{
    setenv("HS_KEPT", "kept", 1);
    setenv("HS_SET", "before", 1);
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const std::string script = "test \"$HS_KEPT $HS_SET\" = 'kept after' && kill -15 $$; exit 7";
    const int code = runChild({"sh", "-c", script}, {"HS_SET=after"}, STDOUT_FILENO, STDERR_FILENO, {});
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    CHECK(code == 128 + SIGTERM);
}

TEST_CASE("a stop ends a program that would go on")
{
    std::stop_source stop;
    stop.request_stop();
    CHECK(runChild({"sleep", "600"}, {}, STDOUT_FILENO, STDERR_FILENO, stop.get_token()) == 128 + SIGTERM);
}
