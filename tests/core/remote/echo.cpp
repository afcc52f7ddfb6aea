#include "core/remote/echo.h"

#include "base/draws.h"
#include "remote/state_folder.h"
#include "support/catch.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>

namespace hs::test {
namespace {

using remote::Tree;
using namespace std::chrono_literals;

/// Copies between a line's other end and a daemon's socket until its fate.
class RelayLine : public remote::Line {
public:
    RelayLine(Descriptor mine, Descriptor other, Descriptor daemon, const Fate& fate)
        : Line("relay", std::move(mine)),
          m_thread([other = std::move(other), daemon = std::move(daemon), fate](const std::stop_token& stop) {
              copy(other.number(), daemon.number(), fate, stop);
          })
    {
    }

private:
    static void copy(int other, int daemon, Fate fate, const std::stop_token& stop)
    {
        bool isFrozen = false;
        while (!stop.stop_requested()) {
            isFrozen = isFrozen || (fate.freeze && *fate.freeze);
            pollfd handles[] = {{other, POLLIN, 0}, {isFrozen ? -1 : daemon, POLLIN, 0}};
            poll(handles, 2, 10);
            if (handles[0].revents != 0 && pass(other, daemon, SIZE_MAX) == 0)
                break;
            if (handles[1].revents == 0)
                continue;
            const std::size_t count = pass(daemon, other, fate.bytes);
            fate.bytes -= std::min(count, fate.bytes);
            isFrozen = isFrozen || (fate.isFrozen && fate.bytes == 0);
            if (count == 0 || (fate.bytes == 0 && !isFrozen))
                break;
        }
    }

    static std::size_t pass(int from, int to, std::size_t most)
    {
        char bytes[4096];
        const ssize_t count = read(from, bytes, std::min(sizeof bytes, most));
        for (ssize_t at = 0; at < count;) {
            const ssize_t written = send(to, bytes + at, static_cast<std::size_t>(count - at), MSG_NOSIGNAL);
            if (written <= 0)
                return 0;
            at += written;
        }
        return count > 0 ? static_cast<std::size_t>(count) : 0;
    }

    std::jthread m_thread;
};

std::vector<std::uint8_t> noise(std::size_t count)
{
    Draws draws({count});
    std::vector<std::uint8_t> bytes(count);
    for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(draws.next());
    return bytes;
}

void addByte(const std::string& file)
{
    std::ofstream(file, std::ios::app) << '.';
}

Tree waitForFile(const std::string& file, const Hooks& hooks)
{
    addByte(file + ".runs");
    bool isThere = false;
    for (int turns = 0; !isThere && !hooks.stop.stop_requested(); ++turns) {
        hooks.report(turns % 1000, 1000);
        std::this_thread::sleep_for(1ms);
        isThere = access(file.c_str(), F_OK) == 0;
    }
    addByte(file + ".ends");
    return isThere;
}

}  // namespace

bool waitUntil(const std::function<bool()>& holds)
{
    for (int turns = 0; turns < 6'000; ++turns) {
        if (holds())
            return true;
        std::this_thread::sleep_for(5ms);
    }
    return false;
}

Tree EchoHandler::answer(const Tree& request, const Hooks& hooks, const std::function<void(Tree)>& onPart)
{
    const JsonReader fields = remote::reader(request);
    const std::string what = fields["do"].text();
    if (what == "parts") {
        const int count = fields["count"].integer(0, 1'000'000);
        const auto bytes = static_cast<std::size_t>(fields["bytes"].integer(0, INT32_MAX));
        for (int part = 0; part < count; ++part) {
            hooks.throwIfCancelled();
            onPart({{"part", part}, {"bytes", remote::arrayOf(noise(bytes))}});
        }
        return count;
    }
    if (what == "until")
        return waitForFile(fields["file"].text(), hooks);
    if (what == "fail")
        fail(ErrorCode::BadRequest, fields["message"].text());
    return fields["value"].json();
}

remote::MakeHandler echoes()
{
    return [] { return std::make_unique<EchoHandler>(); };
}

remote::Limits quickLimits()
{
    remote::Limits limits;
    limits.firstRetry = 5ms;
    limits.lastRetry = 50ms;
    return limits;
}

ThreadDaemon::ThreadDaemon(std::function<void(remote::DaemonOptions&)> change,
                           remote::MakeHandler makeHandler)
    : m_thread([this, change, makeHandler] {
          remote::DaemonOptions options;
          options.folder = folder();
          options.stop = m_stop.get_token();
          if (change)
              change(options);
          remote::runDaemon(options, makeHandler);
          m_hasEnded = true;
      })
{
    REQUIRE(waitUntil([&] { return access(remote::socketIn(folder()).c_str(), F_OK) == 0; }));
}

ThreadDaemon::~ThreadDaemon()
{
    m_stop.request_stop();
}

pid_t startEchoDaemon(const std::filesystem::path& folder)
{
    setenv("HEADSCOPE_STATE", folder.c_str(), 1);
    return remote::startDaemon(folder, {programFile(), "a daemon for other cases"});
}

remote::Connection::Dial dialThrough(std::filesystem::path socket, std::vector<Fate> fates)
{
    auto attempts = std::make_shared<std::atomic<std::size_t>>(0);
    return [socket, fates, attempts]() -> std::unique_ptr<remote::Line> {
        const Fate fate = fates[std::min(attempts->fetch_add(1), fates.size() - 1)];
        Descriptor daemon = remote::connectTo(socket);
        if (!daemon)
            fail(ErrorCode::NotFound, "Nobody listens there; start a daemon.");
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            fail(ErrorCode::Internal, "No sockets.");
        return std::make_unique<RelayLine>(Descriptor(ends[0]), Descriptor(ends[1]), std::move(daemon), fate);
    };
}

std::size_t sizeOf(const std::filesystem::path& file)
{
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    return error ? 0 : static_cast<std::size_t>(size);
}

}  // namespace hs::test

TEST_CASE("a daemon for other cases", "[.]")
{
    hs::remote::DaemonOptions options;
    options.look = std::chrono::milliseconds(50);
    options.hello.devices = "a test";
    hs::remote::runDaemon(options, hs::test::echoes());
}
