#include "remote/ssh_line.h"

#include "core/remote/echo.h"
#include "remote/frame.h"
#include "support/catch.h"
#include "support/refusals.h"

#include <algorithm>

using namespace hs;
using namespace hs::remote;
using namespace hs::test;
using namespace std::chrono_literals;

namespace {

/// A program in place of ssh: a shell script that gets ssh's arguments.
struct FakeSsh {
    explicit FakeSsh(const std::string& script)
    {
        const std::filesystem::path file = scratch.write("ssh", "#!/bin/sh\n" + script);
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        setenv("HEADSCOPE_SSH", ("'" + file.string() + "' -F 'a b'").c_str(), 1);
    }
    ~FakeSsh() { unsetenv("HEADSCOPE_SSH"); }

    TempDir scratch;
};

/// The sentence with which connecting fails.
std::string sentence(const std::string& script, Limits limits = {}, const std::string& host = "gpu")
{
    const FakeSsh ssh(script);
    Connection connection([&] { return openSshLine({host, ""}); }, {}, limits);
    const Result<Hello> hello = connection.connect(20s);
    return hello ? "connected" : hello.error().message;
}

}  // namespace

TEST_CASE("a host that ssh could take for an option is refused before anything starts")
{
    for (const char* const host : {"", "-oProxyCommand=x", "a\nb", "a b", "a\x7f"})
        CHECK(isRefused([&] { openSshLine({host, ""}); }, "is not the name of a machine"));
}

TEST_CASE("ssh is started with the user's own program, and the host after a double dash")
{
    const FakeSsh ssh("");
    const std::vector<std::string> words = sshWords({"me@gpu", ""});
    REQUIRE(words.size() > 5);
    CHECK(words[1] == "-F");
    CHECK(words[2] == "a b");
    CHECK(std::ranges::find(words, "-T") != words.end());
    CHECK(std::ranges::find(words, "-oRemoteCommand=none") != words.end());
    CHECK(
        std::vector(words.end() - 3, words.end()) ==
        std::vector<std::string>{"--", "me@gpu",
                                 "exec sh -c 'command -v headscope-serve >/dev/null && exec headscope-serve "
                                 "--stdio; exec headscope serve --stdio'"});
    CHECK(sshWords({"gpu", "srun -u headscope serve --stdio"}).back() == "srun -u headscope serve --stdio");
    setenv("HEADSCOPE_FAR_COMMAND", "exec /opt/headscope serve --stdio", 1);
    CHECK(sshWords({"gpu", ""}).back() == "exec /opt/headscope serve --stdio");
    unsetenv("HEADSCOPE_FAR_COMMAND");
    setenv("SSH_ASKPASS", "/bin/ask", 1);
    const std::vector<std::string> asking = sshWords({"gpu", ""});
    CHECK(std::ranges::find(asking, "-oBatchMode=yes") == asking.end());
    unsetenv("SSH_ASKPASS");
}

TEST_CASE("each way in which ssh fails has its sentence with the remedy")
{
    const auto says = [](const std::string& script, const std::string& words) {
        const std::string said = sentence(script);
        INFO(said);
        return said.find(words) != std::string::npos && said.ends_with('.');
    };
    CHECK(says("exit 127", "gpu has no program for \"headscope serve --stdio\"; install HeadScope there"));
    CHECK(says("exit 126", "make it executable"));
    CHECK(says("echo 'me@gpu: Permission denied (publickey).' >&2; exit 255", "ssh-copy-id gpu"));
    CHECK(says("echo 'Host key verification failed.' >&2; exit 255", "run \"ssh gpu\" once"));
    CHECK(says("echo 'ssh: Could not resolve hostname gpu: x' >&2; exit 255", "no machine called gpu"));
    CHECK(says("echo 'ssh: connect to host gpu port 22: Connection refused' >&2; exit 255",
               "its ssh server runs"));
    CHECK(says("echo 'ssh: connect to host gpu port 22: Connection timed out' >&2; exit 255",
               "gpu does not answer"));
    CHECK(says("echo 'something new' >&2; exit 255", "ended: \"something new\""));
    CHECK(says("kill -9 $$", "ended with code 137"));
    CHECK(says("echo Your account has expired; exit 1", "gpu answered: \"Your account has expired\""));
    CHECK(says("yes welcome | head -c 65537; sleep 5", "gpu answered: \"welcome welcome"));
}

TEST_CASE("a machine that says nothing, or only other things, is given up after a while")
{
    Limits limits;
    limits.word = 200ms;
    CHECK(sentence("sleep 20", limits).find("gpu did not answer within 1 s") == 0);
    CHECK(sentence("echo login:; sleep 20", limits).find("gpu answered: \"login:\"") == 0);
}

TEST_CASE("ssh that cannot be started is named")
{
    setenv("HEADSCOPE_SSH", "/no/such/ssh", 1);
    Connection connection([] { return openSshLine({"gpu", ""}); });
    CHECK(connection.connect(10s).error().message.find("/no/such/ssh cannot be started") == 0);
    unsetenv("HEADSCOPE_SSH");
}

TEST_CASE("text before the first word does no harm, nor does endless text on standard error")
{
    const ThreadDaemon daemon;
    setenv("HS_TEST_FOLDER", daemon.folder().c_str(), 1);
    const FakeSsh ssh("echo Welcome to gpu; (yes | head -c 300000 >&2); exec '" + programFile() +
                      "' 'a proxy for other cases'");
    Connection connection([] { return openSshLine({"gpu", ""}); }, {}, quickLimits());
    const Result<Hello> hello = connection.connect(20s);
    REQUIRE(hello);
    CHECK(connection.call({{"do", "parts"}, {"count", 40}, {"bytes", 100'000}}).value() == 40);
}

// What the far command runs: it leaves before Catch2 says anything.
TEST_CASE("a proxy for other cases", "[.]")
{
    _exit(serveStdio(std::getenv("HS_TEST_FOLDER"), [] { return 0; }));
}
