#include "core/remote/echo.h"

#include "remote/channel.h"
#include "remote/state_folder.h"
#include "support/catch.h"
#include "support/refusals.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <future>

using namespace hs;
using namespace hs::remote;
using namespace hs::test;
using namespace std::chrono_literals;

namespace {

/// A folder whose daemons are processes; they end with it.
struct DaemonFolder {
    DaemonFolder() = default;
    ~DaemonFolder() { (void)stopDaemon(path()); }

    std::filesystem::path path() const { return scratch / "state"; }
    std::function<pid_t()> start() const
    {
        return [folder = path()] { return startEchoDaemon(folder); };
    }
    int pid() const
    {
        const Result<Tree> status = daemonStatus(path());
        return status ? (*status)["pid"].get<int>() : 0;
    }

    TempDir scratch;
};

/// `serve --stdio` on a thread, between a socket pair and the daemon.
class ProxyLine : public Line {
public:
    ProxyLine(int mine, int other, std::filesystem::path folder, std::function<pid_t()> start)
        : Line("proxy", Descriptor(mine)), m_thread([other, folder, start] {
              const auto code = guarded([&] { return serveStdio(folder, start, other, other); });
              ::close(other);
          })
    {
    }
    ~ProxyLine() override { Line::close(); }  // so that the copying ends

private:
    std::jthread m_thread;
};

Connection::Dial dialProxy(const DaemonFolder& folder)
{
    return [path = folder.path(), start = folder.start()]() -> std::unique_ptr<Line> {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            fail(ErrorCode::Internal, "No sockets.");
        return std::make_unique<ProxyLine>(ends[0], ends[1], path, start);
    };
}

std::string refusalOfFolder(const std::filesystem::path& folder)
{
    return refusalOf([&] { makePrivateFolder(folder); });
}

/// Steps a client's end until it has heard something or the line is closed.
std::vector<Message> listen(Channel& channel,
                            const std::function<bool(const std::vector<Message>&)>& isEnough)
{
    std::vector<Message> heard;
    for (int turns = 0; turns < 1'000 && !isEnough(heard); ++turns)
        if (!channel.step(10ms, [&](Message&& message) { heard.push_back(std::move(message)); }))
            break;
    return heard;
}

}  // namespace

TEST_CASE("two first clients at once share one daemon, which outlives them")
{
    const DaemonFolder folder;
    {
        Connection first(dialProxy(folder), {}, quickLimits()), second(dialProxy(folder), {}, quickLimits());
        const Result<Hello> one = first.connect(20s), other = second.connect(20s);
        REQUIRE(one);
        REQUIRE(other);
        CHECK(one->daemon == other->daemon);
        CHECK(one->devices == "a test");
        CHECK(first.call({{"do", "echo"}, {"value", "x"}}).value() == "x");
    }
    const int pid = folder.pid();
    CHECK(pid > 0);
    Connection third(dialProxy(folder), {}, quickLimits());
    REQUIRE(third.connect(20s));
    CHECK(folder.pid() == pid);
}

TEST_CASE("when the daemon is killed, another one is started and calls are asked again")
{
    const DaemonFolder folder;
    const std::filesystem::path file = folder.scratch / "go";
    Connection connection(dialProxy(folder), {}, quickLimits());
    const Result<Hello> before = connection.connect(20s);
    REQUIRE(before);
    auto call = std::async(std::launch::async,
                           [&] { return connection.call({{"do", "until"}, {"file", file.string()}}); });
    REQUIRE(waitUntil([&] { return sizeOf(file.string() + ".runs") == 1; }));
    const int pid = folder.pid();
    REQUIRE(pid > 1);
    REQUIRE(kill(pid, SIGKILL) == 0);
    REQUIRE(waitUntil([&] { return sizeOf(file.string() + ".runs") == 2; }));
    folder.scratch.write("go", "");
    CHECK(call.get().value() == true);
    CHECK(connection.state().peer.daemon != before->daemon);
}

TEST_CASE("a daemon that cannot start is reported with the end of its log")
{
    const DaemonFolder folder;
    const auto start = [&] {
        return startDaemon(folder.path(), {"sh", "-c", "echo no GPU driver >&2; kill -9 $$"});
    };
    CHECK(isRefused([&] { serveStdio(folder.path(), start); }, "no GPU driver"));
}

TEST_CASE("the daemon is asked for its state and to end by its own user")
{
    const DaemonFolder folder;
    CHECK(daemonStatus(folder.path()).error().code == ErrorCode::NotFound);
    startEchoDaemon(folder.path());
    REQUIRE(waitUntil([&] { return folder.pid() > 0; }));
    // The lines of the questions before may still be closing.
    CHECK(waitUntil([&] { return daemonStatus(folder.path()).value()["clients"] == 1; }));
    const Tree status = daemonStatus(folder.path()).value();
    CHECK(status["devices"] == "a test");
    CHECK(status["sessions"] == 0);
    const int pid = status["pid"];
    REQUIRE(stopDaemon(folder.path()));
    CHECK(access(socketIn(folder.path()).c_str(), F_OK) != 0);
    CHECK(stopDaemon(folder.path()).error().code == ErrorCode::NotFound);
    startEchoDaemon(folder.path());
    REQUIRE(waitUntil([&] { return folder.pid() > 0; }));
    CHECK(folder.pid() != pid);
}

TEST_CASE("a daemon takes the place of a socket that nobody listens at, and its socket is its user's alone")
{
    TempDir scratch;
    makePrivateFolder(scratch / "state");
    listenAt(socketIn(scratch / "state"));
    CHECK_FALSE(connectTo(socketIn(scratch / "state")));
    std::stop_source stop;
    std::jthread daemon([&] {
        DaemonOptions options;
        options.folder = scratch / "state";
        options.stop = stop.get_token();
        runDaemon(options, echoes());
    });
    CHECK(waitUntil([&] { return daemonStatus(scratch / "state").ok(); }));
    struct stat info = {};
    REQUIRE(lstat(socketIn(scratch / "state").c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0600);
    stop.request_stop();
}

TEST_CASE("a daemon whose socket was removed listens again")
{
    const ThreadDaemon daemon([](DaemonOptions& options) { options.look = 10ms; });
    for (int round = 0; round < 3; ++round) {
        REQUIRE(unlink(socketIn(daemon.folder()).c_str()) == 0);
        REQUIRE(waitUntil([&] { return daemonStatus(daemon.folder()).ok(); }));
    }
}

TEST_CASE("a folder that is not the user's alone is refused, and left as it is")
{
    TempDir scratch;
    makePrivateFolder(scratch / "a/b");
    makePrivateFolder(scratch / "a/b");
    struct stat info = {};
    REQUIRE(lstat((scratch / "a/b").c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0700);

    REQUIRE(mkdir((scratch / "open").c_str(), 0755) == 0);
    CHECK(refusalOfFolder(scratch / "open").find("is open to other users") != std::string::npos);
    REQUIRE(lstat((scratch / "open").c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0755);

    REQUIRE(symlink((scratch / "a/b").c_str(), (scratch / "link").c_str()) == 0);
    CHECK(refusalOfFolder(scratch / "link").find("is not a folder") != std::string::npos);
    scratch.write("file", "");
    CHECK(refusalOfFolder(scratch / "file").find("is not a folder") != std::string::npos);
    CHECK(refusalOfFolder(scratch / "file/below").find("cannot be made") != std::string::npos);
    if (geteuid() == 0) {
        REQUIRE(chown((scratch / "a/b").c_str(), 12345, 0) == 0);
        CHECK(refusalOfFolder(scratch / "a/b").find("belongs to somebody else") != std::string::npos);
    }
}

TEST_CASE("the state folder is named by machine, and short enough for a socket")
{
    const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
    TempDir scratch;
    unsetenv("HEADSCOPE_STATE");
    setenv("HOME", scratch.path().c_str(), 1);
    CHECK(stateFolder() == scratch / ".local/state/headscope" / Hello::ours().machine);
    setenv("HOME", "/no/such/home", 1);
    CHECK(stateFolder() == "/tmp/headscope-" + std::to_string(geteuid()));
    setenv("HOME", home.c_str(), 1);
    setenv("HEADSCOPE_STATE", ("/tmp/" + std::string(150, 'x')).c_str(), 1);
    CHECK(socketIn(stateFolder()).native().size() <= 100);
    CHECK(stateFolder().string().starts_with("/tmp/headscope-"));
    unsetenv("HEADSCOPE_STATE");
}

TEST_CASE("a daemon that is alone ends after its grace, but not while something runs")
{
    TempDir scratch;
    const std::filesystem::path file = scratch / "go";
    ThreadDaemon daemon([](DaemonOptions& options) { options.grace = 200ms; });
    Limits limits = quickLimits();
    limits.firstRetry = limits.lastRetry = 1h;
    {
        // The line is cut for good once the request has come, so the client cannot say that it goes.
        Connection connection(dialThrough(socketIn(daemon.folder()), {{800}}), {}, limits);
        std::stop_source stop;
        limits.cancelled = 1ms;
        auto call = std::async(std::launch::async, [&] {
            return connection.call({{"do", "until"}, {"file", file.string()}}, {{}, stop.get_token()});
        });
        REQUIRE(waitUntil([&] { return connection.state().kind == Connection::State::Kind::Lost; }));
        std::this_thread::sleep_for(500ms);  // longer than the grace
        CHECK_FALSE(daemon.hasEnded());
        stop.request_stop();
    }
    scratch.write("go", "");
    CHECK(waitUntil([&] { return daemon.hasEnded(); }));
}

TEST_CASE("another major version is refused by both ends, with both versions and what mends it")
{
    const ThreadDaemon newer([](DaemonOptions& options) {
        options.hello.major = kProtocolMajor + 1;
        options.hello.version = "9.9";
    });
    Connection connection(dialThrough(socketIn(newer.folder())), {}, quickLimits());
    CHECK(connection.connect(10s).error().message ==
          "relay runs HeadScope 9.9 with protocol 2, this is HeadScope " HS_VERSION
          " with protocol 1; update HeadScope here with \"git pull && ./dev build\".");
    CHECK(connection.state().kind == Connection::State::Kind::Refused);

    const ThreadDaemon daemon;
    const std::unique_ptr<Line> line = openSocketLine(socketIn(daemon.folder()));
    Channel channel(line->in(), line->out(), End::Client, {});
    Hello old = Hello::ours();
    old.major = 0;
    old.session = randomToken();
    channel.send(Kind::Hello, 0, toTree(old));
    const auto heard = listen(channel, [](const auto& messages) { return messages.size() == 2; });
    REQUIRE(heard.size() == 2);
    CHECK(errorFrom(heard[1].tree).message.find("update HeadScope on " + old.machine + " with") !=
          std::string::npos);
}

TEST_CASE("a newer minor version and unknown keys are fine")
{
    Tree tree = toTree(Hello::ours());
    tree["protocol"]["minor"] = 99;
    tree["protocol"]["more"] = 1;
    tree["new"] = {{"a", 1}};
    CHECK_NOTHROW(requireSameProtocol(helloFrom(tree), "gpu"));
}

TEST_CASE("a client that breaks a rule or does not finish a frame is hung up on, and others are not")
{
    const ThreadDaemon daemon([](DaemonOptions& options) { options.limits.frame = 50ms; });
    Connection other(dialThrough(socketIn(daemon.folder())), {}, quickLimits());
    const std::string greeting = pack(Kind::Hello, 0, toTree(Hello::ours()))->frames.front();
    const std::vector<std::string> wrongs = {
        "hello?          hello?", pack(Kind::Request, 1, Tree::array({0, Tree::object()}))->frames.front(),
        greeting /* it has no token */, std::string(10, '\0') /* and no more */};
    for (const std::string& wrong : wrongs) {
        const Descriptor socket = connectTo(socketIn(daemon.folder()));
        REQUIRE(socket);
        REQUIRE(write(socket.number(), wrong.data(), wrong.size()) == static_cast<ssize_t>(wrong.size()));
        char bytes[4096];
        ssize_t count = 1;
        while (count > 0)  // comes to an end
            count = read(socket.number(), bytes, sizeof bytes);
        CHECK(count <= 0);
    }
    CHECK(other.call({{"do", "echo"}, {"value", 1}}).value() == 1);
}
