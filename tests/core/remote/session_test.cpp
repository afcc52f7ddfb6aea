#include "remote/session.h"

#include "core/remote/echo.h"
#include "support/catch.h"

#include <sys/socket.h>
#include <unistd.h>

using namespace hs;
using namespace hs::remote;
using namespace hs::test;
using namespace std::chrono_literals;

namespace {

/// A session's channel over a socket pair, and a client's end that grants only what it is told to.
class Bench {
public:
    explicit Bench(Limits limits = {}) : m_limits(limits), session(echoes()(), limits) { attach(); }
    ~Bench()
    {
        session.detach(m_channel.get());
        hangUp();
    }

    void attach(std::vector<std::int64_t> asked = {})
    {
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, m_ends) == 0);
        m_channel = std::make_shared<Channel>(m_ends[0], m_ends[0], End::Daemon, m_limits);
        m_client = std::make_unique<Channel>(m_ends[1], m_ends[1], End::Client, m_limits);
        session.attach(m_channel, asked);
    }
    void hangUp()
    {
        close(m_ends[0]);
        close(m_ends[1]);
    }

    void ask(std::uint32_t number, Tree request, std::int64_t have = 0)
    {
        session.take({Kind::Request, number, Tree::array({have, std::move(request)}), 0});
    }
    void say(Kind kind, std::uint32_t number, Tree tree = nullptr)
    {
        session.take({kind, number, std::move(tree), 0});
    }

    /// Reads what the session has sent until it holds.
    bool readUntil(const std::function<bool()>& holds)
    {
        for (int turns = 0; turns < 3'000 && !holds(); ++turns)
            exchange();
        return holds();
    }
    void exchange(int turns = 1)
    {
        for (; turns > 0; --turns) {
            m_channel->step(0ms, [](Message&&) {});
            m_client->step(1ms, [this](Message&& message) { heard.push_back(std::move(message)); });
        }
    }
    const Message* of(Kind kind, std::uint32_t number) const
    {
        for (const Message& message : heard)
            if (message.kind == kind && message.request == number)
                return &message;
        return nullptr;
    }
    std::size_t received() const { return m_client->received(); }

private:
    Limits m_limits;
    int m_ends[2] = {-1, -1};
    std::shared_ptr<Channel> m_channel;
    std::unique_ptr<Channel> m_client;

public:
    std::vector<Message> heard;
    Session session;
};

Tree until(const std::filesystem::path& file, Tree more = Tree::object())
{
    more["do"] = "until";
    more["file"] = file.string();
    return more;
}

Tree parts(int count, int bytes, Tree more = Tree::object())
{
    more["do"] = "parts";
    more["count"] = count;
    more["bytes"] = bytes;
    return more;
}

}  // namespace

TEST_CASE("a newer request takes the place of a waiting one of its slot, which fails as cancelled")
{
    TempDir scratch;
    Bench bench;
    bench.ask(1, until(scratch / "go", {{"slot", 9}}));
    REQUIRE(waitUntil([&] { return sizeOf(scratch / "go.runs") == 1; }));
    bench.ask(2, {{"do", "echo"}, {"slot", 1}, {"value", 2}});
    bench.ask(3, {{"do", "echo"}, {"slot", 1}, {"value", 3}});
    bench.ask(4, {{"do", "echo"}, {"slot", 2}, {"value", 4}});
    scratch.write("go", "");
    REQUIRE(bench.readUntil([&] { return bench.of(Kind::Done, 3) && bench.of(Kind::Done, 4); }));
    CHECK(bench.of(Kind::Done, 1)->tree == true);
    CHECK_FALSE(bench.of(Kind::Done, 2));
    CHECK(errorFrom(bench.of(Kind::Failed, 2)->tree).code == ErrorCode::Cancelled);
}

TEST_CASE("of 500 requests of a slot the last is answered")
{
    Bench bench;
    for (std::uint32_t number = 1; number <= 500; ++number)
        bench.ask(number, {{"do", "echo"}, {"value", number}});
    REQUIRE(bench.readUntil([&] { return bench.of(Kind::Done, 500) != nullptr; }));
    CHECK(bench.of(Kind::Done, 500)->tree == 500);
    std::size_t ends = 0;
    for (const Message& message : bench.heard)
        ends += message.kind == Kind::Done || message.kind == Kind::Failed ? 1 : 0;
    CHECK(ends == 500);
}

TEST_CASE("no more answers are under way than the client has granted")
{
    Bench bench;
    bench.ask(1, parts(40, 250'000));
    REQUIRE(bench.readUntil([&] { return bench.session.standing().unfinished == 0; }));
    bench.exchange(100);
    const std::size_t window = Limits().window;
    CHECK(bench.received() >= window);
    CHECK(bench.received() < window + (300 << 10));
    bench.ask(2, {{"do", "fail"}, {"slot", 1}, {"message", "Small; comes at once."}});
    REQUIRE(bench.readUntil([&] { return bench.of(Kind::Failed, 2) != nullptr; }));
    bench.say(Kind::Credit, 0, Tree::array({20 << 20, 0}));
    REQUIRE(bench.readUntil([&] { return bench.of(Kind::Done, 1) != nullptr; }));
}

TEST_CASE("what is left to send of a cancelled answer is dropped")
{
    for (const bool isReplaced : {false, true}) {
        Bench bench;
        bench.ask(1, parts(40, 250'000));
        REQUIRE(bench.readUntil([&] { return bench.session.standing().unfinished == 0; }));
        bench.exchange(100);
        if (isReplaced)
            bench.ask(2, {{"do", "echo"}, {"cancels", true}, {"value", 2}});
        else
            bench.say(Kind::Cancel, 1);
        bench.say(Kind::Credit, 0, Tree::array({20 << 20, 0}));
        REQUIRE(bench.readUntil([&] { return bench.of(Kind::Failed, 1) != nullptr; }));
        bench.exchange(100);
        CHECK(errorFrom(bench.of(Kind::Failed, 1)->tree).code == ErrorCode::Cancelled);
        CHECK_FALSE(bench.of(Kind::Done, 1));
        CHECK(bench.received() < (5u << 20));
        CHECK(bench.session.standing().keptBytes < 10'000);
        CHECK((bench.of(Kind::Done, 2) != nullptr) == isReplaced);
    }
}

TEST_CASE("a request that cancels stops the running one of its slot")
{
    TempDir scratch;
    Bench bench;
    bench.ask(1, until(scratch / "never"));
    REQUIRE(waitUntil([&] { return sizeOf(scratch / "never.runs") == 1; }));
    bench.ask(2, {{"do", "echo"}, {"cancels", true}, {"value", 2}});
    REQUIRE(bench.readUntil([&] { return bench.of(Kind::Done, 1) && bench.of(Kind::Done, 2); }));
    CHECK(bench.of(Kind::Done, 1)->tree == false);
}

TEST_CASE("a request of its own runs beside the others")
{
    TempDir scratch;
    Bench bench;
    bench.ask(1, until(scratch / "go", {{"own", true}}));
    bench.ask(2, until(scratch / "go", {{"own", true}}));
    bench.ask(3, {{"do", "echo"}, {"value", 3}});
    REQUIRE(bench.readUntil([&] { return bench.of(Kind::Done, 3) != nullptr; }));
    scratch.write("go", "");
    REQUIRE(bench.readUntil([&] { return bench.of(Kind::Done, 1) && bench.of(Kind::Done, 2); }));
    bench.ask(4, until(scratch / "never", {{"own", true}}));
    bench.say(Kind::Release, 4);  // perhaps before it began
    bench.ask(5, {{"do", "echo"}, {"own", true}, {"value", 5}});
    CHECK(bench.readUntil([&] { return bench.of(Kind::Done, 5) != nullptr; }));
}

TEST_CASE("an answer is kept until it is released, and said again from the part that is missing")
{
    Bench bench;
    bench.ask(1, parts(5, 1'000));
    REQUIRE(bench.readUntil([&] { return bench.of(Kind::Done, 1) != nullptr; }));
    CHECK(bench.session.standing().keptBytes > 5'000);
    bench.hangUp();
    bench.heard.clear();
    bench.attach({1});
    bench.ask(1, parts(5, 1'000), 3);
    REQUIRE(bench.readUntil([&] { return bench.of(Kind::Done, 1) != nullptr; }));
    REQUIRE(bench.heard.size() == 3);
    CHECK(bench.heard.front().tree["part"] == 3);
    bench.say(Kind::Release, 1);
    CHECK(bench.session.standing().keptBytes == 0);
}

TEST_CASE("a client that comes back without asking for an answer lets go of it")
{
    TempDir scratch;
    Bench bench;
    bench.ask(1, until(scratch / "never"));
    REQUIRE(waitUntil([&] { return sizeOf(scratch / "never.runs") == 1; }));
    bench.hangUp();
    bench.attach({});
    CHECK(waitUntil([&] { return sizeOf(scratch / "never.ends") == 1; }));
    CHECK(bench.session.standing().unfinished == 0);
}

TEST_CASE("parts that were taken are not kept, and the oldest answers go first where there are too many")
{
    Limits limits;
    limits.kept = 1'000'000;
    Bench bench(limits);
    bench.ask(1, parts(3, 100'000));
    REQUIRE(bench.readUntil([&] { return bench.of(Kind::Done, 1) != nullptr; }));
    bench.say(Kind::Credit, 1, Tree::array({0, 2}));
    CHECK(bench.session.standing().keptBytes < 110'000);
    for (std::uint32_t number = 2; number <= 12; ++number) {
        bench.ask(number, parts(1, 100'000));
        REQUIRE(bench.readUntil([&] { return bench.of(Kind::Done, number) != nullptr; }));
        CHECK(bench.session.standing().keptBytes <= limits.kept);
    }
    CHECK(bench.session.standing().keptBytes > limits.kept / 2);
}

TEST_CASE("a session that nobody uses rests once")
{
    std::atomic<int> rests = 0;
    Session session(std::make_unique<EchoHandler>([&] { ++rests; }), {});
    session.restIfIdleSince(Session::Clock::now() - 1h);
    CHECK(rests == 0);
    session.restIfIdleSince(Session::Clock::now() + 1s);
    session.restIfIdleSince(Session::Clock::now() + 1s);
    CHECK(waitUntil([&] { return rests == 1; }));
}
