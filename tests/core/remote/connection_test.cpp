#include "core/remote/echo.h"

#include "remote/channel.h"
#include "support/catch.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <future>

using namespace hs;
using namespace hs::remote;
using namespace hs::test;
using namespace std::chrono_literals;

namespace {

using StateKind = Connection::State::Kind;

Tree untilFile(const std::filesystem::path& file, Tree more = Tree::object())
{
    more["do"] = "until";
    more["file"] = file.string();
    return more;
}

Connection toDaemon(const ThreadDaemon& daemon)
{
    return Connection(dialThrough(socketIn(daemon.folder())), {}, quickLimits());
}

std::future<Result<Tree>> callLater(Connection& connection, Tree request, Hooks hooks = {})
{
    return std::async(std::launch::async,
                      [&connection, request = std::move(request), hooks = std::move(hooks)] {
                          return connection.call(request, hooks);
                      });
}

/// A daemon that the test plays itself, over one line.
class PlayedDaemon {
public:
    PlayedDaemon()
    {
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, m_ends) == 0);
        m_channel = std::make_unique<Channel>(m_ends[0], m_ends[0], End::Daemon, Limits());
        m_channel->send(Kind::Hello, 0, toTree(Hello::ours()));
    }
    ~PlayedDaemon() { close(m_ends[0]); }

    Connection::Dial dial()
    {
        return [this]() -> std::unique_ptr<Line> {
            if (m_ends[1] < 0)
                fail(ErrorCode::NotFound, "There is one line only.");
            return std::make_unique<Line>("gpu", Descriptor(std::exchange(m_ends[1], -1)));
        };
    }
    void say(Kind kind, std::uint32_t number, const Tree& tree) { m_channel->send(kind, number, tree); }
    void sayBytes(const std::string& bytes)
    {
        m_channel->flush(1s);
        REQUIRE(write(m_ends[0], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    }
    bool playUntil(const std::function<bool()>& holds)
    {
        return waitUntil([&] {
            m_channel->step(0ms, [](Message&&) {});
            return holds();
        });
    }

private:
    int m_ends[2] = {-1, -1};
    std::unique_ptr<Channel> m_channel;
};

}  // namespace

TEST_CASE("answers that nobody asked for are dropped, and too many of them close the line")
{
    PlayedDaemon daemon;
    Limits limits = quickLimits();
    limits.strays = 10;
    limits.firstRetry = limits.lastRetry = 1h;
    std::mutex mutex;
    std::vector<std::string> texts;
    Connection connection(
        daemon.dial(),
        [&](const Connection::State& state) {
            const std::lock_guard lock(mutex);
            texts.push_back(state.text);
        },
        limits);
    REQUIRE(daemon.playUntil([&] { return connection.state().kind == StateKind::Connected; }));
    for (std::uint32_t number = 1; number < 10; ++number)
        daemon.say(Kind::Done, 1'000 + number, nullptr);
    daemon.say(Kind::Progress, 0, Tree::array({0, 1}));  // the tenth
    REQUIRE(daemon.playUntil([&] {
        const std::lock_guard lock(mutex);
        return std::ranges::any_of(texts, [](const std::string& text) {
            return text.find("answers that nobody asked for") != std::string::npos;
        });
    }));
    CHECK(connection.state().kind != StateKind::Connected);
}

TEST_CASE("a connection that goes ends the calls that are under way")
{
    PlayedDaemon daemon;
    std::future<Result<Tree>> call;
    {
        Connection connection(daemon.dial(), {}, quickLimits());
        REQUIRE(daemon.playUntil([&] { return connection.state().kind == StateKind::Connected; }));
        std::atomic<bool> hasBegun = false;
        call = callLater(connection, {{"do", "echo"}}, {[&](int, int) { hasBegun = true; }, {}});
        REQUIRE(daemon.playUntil([&] { return hasBegun.load(); }));
    }
    CHECK(call.get().error().code == ErrorCode::Cancelled);
}

TEST_CASE("a daemon that breaks a rule is hung up on with that sentence")
{
    PlayedDaemon daemon;
    Limits limits = quickLimits();
    limits.firstRetry = limits.lastRetry = 1h;
    std::atomic<bool> wasSaid = false;
    Connection connection(
        daemon.dial(),
        [&](const Connection::State& state) {
            wasSaid = wasSaid || state.text.find("unknown kind 255") != std::string::npos;
        },
        limits);
    REQUIRE(daemon.playUntil([&] { return connection.state().kind == StateKind::Connected; }));
    daemon.sayBytes(std::string(16, '\xff'));
    CHECK(daemon.playUntil([&] { return wasSaid.load(); }));
}

TEST_CASE("a call brings back the answer, its parts in order, or the failure")
{
    const ThreadDaemon daemon([](DaemonOptions& options) { options.hello.devices = "two GPUs"; });
    Connection connection = toDaemon(daemon);
    const Result<Hello> hello = connection.connect(10s);
    REQUIRE(hello);
    CHECK(hello->devices == "two GPUs");
    CHECK(connection.state().kind == StateKind::Connected);

    const Tree value = {{"a", {1, 2.5, "x"}}, {"b", arrayOf(std::vector<float>(1'000'000, 1.5f))}};
    CHECK(connection.call({{"do", "echo"}, {"value", value}}).value() == value);

    std::vector<int> parts;
    const auto count =
        connection.call({{"do", "parts"}, {"count", 20}, {"bytes", 500'000}}, {}, [&](const Tree& part) {
            CHECK(part["bytes"].get_binary().size() == 500'000);
            parts.push_back(part["part"]);
        });
    CHECK(count.value() == 20);
    CHECK(parts.size() == 20);
    CHECK(std::ranges::is_sorted(parts));

    const auto failed = connection.call({{"do", "fail"}, {"message", "No such head; choose another."}});
    CHECK(failed.error() == Error{ErrorCode::BadRequest, "No such head; choose another.", ""});
    CHECK(connection.call({{"slot", "x"}}).error().message.find("\"slot\" should be") != std::string::npos);
}

TEST_CASE("calls of several threads are answered each")
{
    const ThreadDaemon daemon;
    Connection connection = toDaemon(daemon);
    std::vector<std::future<Result<Tree>>> calls;
    for (int number = 0; number < 40; ++number)
        calls.push_back(callLater(connection, {{"do", "echo"}, {"slot", number}, {"value", number}}));
    for (int number = 0; number < 40; ++number)
        CHECK(calls[static_cast<std::size_t>(number)].get().value() == number);
}

TEST_CASE("progress is told again while nothing happens, and urgent requests are answered in a patient one")
{
    const ThreadDaemon daemon;
    Connection connection = toDaemon(daemon);
    const std::filesystem::path file = daemon.scratch() / "go";
    int reports = 0;
    const Hooks hooks{
        [&](int, int total) {
            CHECK(total > 0);
            if (++reports == 20) {
                CHECK(connection.call({{"do", "echo"}, {"slot", 1}, {"value", "now"}}).value() == "now");
                daemon.scratch().write("go", "");
            }
        },
        {}};
    CHECK(connection.call(untilFile(file, {{"patient", true}, {"slot", 2}}), hooks).value() == true);
    CHECK(reports >= 20);
}

TEST_CASE("a call goes on where it was when the line ends in the middle of a frame")
{
    const ThreadDaemon daemon;
    // The third line holds.
    Connection connection(dialThrough(socketIn(daemon.folder()), {{200'000}, {300'001}, {}}), {},
                          quickLimits());
    std::vector<int> parts;
    const auto count = connection.call({{"do", "parts"}, {"count", 30}, {"bytes", 30'000}}, {},
                                       [&](const Tree& part) { parts.push_back(part["part"]); });
    REQUIRE(count);
    CHECK(*count == 30);
    REQUIRE(parts.size() == 30);
    for (int part = 0; part < 30; ++part)
        CHECK(parts[static_cast<std::size_t>(part)] == part);
}

TEST_CASE("what runs goes on while the line is lost, and runs once")
{
    const ThreadDaemon daemon;
    const std::filesystem::path file = daemon.scratch() / "go";
    std::atomic<int> losses = 0;
    Connection connection(
        dialThrough(socketIn(daemon.folder()), {{800}, {800}, {800}, {}}),
        [&](const Connection::State& state) { losses += state.kind == StateKind::Lost ? 1 : 0; },
        quickLimits());
    auto call = callLater(connection, untilFile(file));  // progress uses up the lines
    REQUIRE(waitUntil([&] { return losses == 3 && connection.state().kind == StateKind::Connected; }));
    daemon.scratch().write("go", "");
    CHECK(call.get().value() == true);
    CHECK(sizeOf(file.string() + ".runs") == 1);
}

TEST_CASE("a line on which nothing comes any more is given up, and one after a sleep")
{
    const ThreadDaemon daemon;
    Limits limits = quickLimits();
    std::atomic<double> slept = 0;
    limits.slept = [&] { return slept.load(); };
    limits.busyBeat = 10ms;
    limits.idleBeat = 10ms;
    std::mutex mutex;
    std::vector<std::string> texts;
    const auto said = [&](const std::string& words) {
        const std::lock_guard lock(mutex);
        return std::ranges::any_of(
            texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
    };
    limits.silence = 300ms;
    Connection connection(
        dialThrough(socketIn(daemon.folder()), {{1'000, true}, {}}),
        [&](const Connection::State& state) {
            const std::lock_guard lock(mutex);
            texts.push_back(state.text);
        },
        limits);
    CHECK(waitUntil([&] { return said("relay has not answered for 1 s"); }));
    CHECK(connection.call({{"do", "echo"}, {"value", 1}}).value() == 1);
    slept = 100;
    CHECK(waitUntil([&] { return said("was asleep"); }));
    CHECK(connection.call({{"do", "echo"}, {"value", 2}}).value() == 2);
}

TEST_CASE("a stopped call brings what was found, and waits for nobody for long")
{
    const ThreadDaemon daemon;
    Connection connection = toDaemon(daemon);
    const std::filesystem::path file = daemon.scratch() / "never";
    std::stop_source stop;
    auto call = callLater(connection, untilFile(file), {{}, stop.get_token()});
    REQUIRE(waitUntil([&] { return sizeOf(file.string() + ".runs") == 1; }));
    stop.request_stop();
    CHECK(call.get().value() == false);

    // The relay passes on the request and nothing that comes back.
    const auto freeze = std::make_shared<std::atomic<bool>>(false);
    Limits limits = quickLimits();
    limits.cancelled = 50ms;
    Connection frozen(dialThrough(socketIn(daemon.folder()), {{SIZE_MAX, false, freeze}}), {}, limits);
    REQUIRE(frozen.connect(10s));
    *freeze = true;
    std::stop_source stopFrozen;
    auto lost = callLater(frozen, untilFile(daemon.scratch() / "other"), {{}, stopFrozen.get_token()});
    REQUIRE(waitUntil([&] { return sizeOf(daemon.scratch() / "other.runs") == 1; }));
    stopFrozen.request_stop();
    CHECK(lost.get().error().code == ErrorCode::Cancelled);
    CHECK(waitUntil([&] { return sizeOf(daemon.scratch() / "other.ends") == 1; }));
}

TEST_CASE("what a caller throws cancels its call")
{
    const ThreadDaemon daemon;
    Connection connection = toDaemon(daemon);
    const auto thrown =
        connection.call({{"do", "parts"}, {"count", 1'000'000}, {"bytes", 1'000}, {"own", true}}, {},
                        [](const Tree&) { fail(ErrorCode::Cancelled, "Enough."); });
    CHECK(thrown.error().message == "Enough.");
    CHECK(waitUntil([&] { return daemonStatus(daemon.folder()).value()["running"] == 0; }));
}

TEST_CASE("the first connection fails at once with its sentence, and later with a retry")
{
    TempDir scratch;
    std::atomic<int> attempts = 0;
    const auto dial = [&]() -> std::unique_ptr<Line> {
        ++attempts;
        return openSocketLine(scratch / "none.sock");
    };
    Connection connection(dial, {}, quickLimits());
    CHECK(connection.connect(10s).error().message.find("No engine listens at") == 0);
    CHECK(connection.call({{"do", "echo"}}).error().message.find("No engine listens at") == 0);
    CHECK(connection.state().kind == StateKind::Refused);
    CHECK(attempts == 1);
    connection.retryNow();
    CHECK(waitUntil([&] { return attempts == 2; }));
}

TEST_CASE("a connection that ends takes its session with it")
{
    const ThreadDaemon daemon;
    const std::filesystem::path file = daemon.scratch() / "never";
    {
        Connection connection = toDaemon(daemon);
        CHECK(connection.call({{"do", "echo"}, {"value", 1}}));
        CHECK(daemonStatus(daemon.folder()).value()["sessions"] == 1);
    }
    CHECK(waitUntil([&] { return daemonStatus(daemon.folder()).value()["sessions"] == 0; }));
}
