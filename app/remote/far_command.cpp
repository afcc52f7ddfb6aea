#include "app/remote/far_command.h"

#include "app/remote/renaming.h"
#include "app/support/line_messages.h"
#include "app/support/messages.h"
#include "base/atomic_file.h"
#include "remote/ssh_line.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <future>

namespace hs::app {
namespace {

using remote::Tree;

constexpr int kMostBeginnings = 4;
constexpr int kKilledBySignal = 128;

/// The daemon that knew the job has ended.
struct JobLost {};

/// A command's life on another machine, from its first byte to its last file. Begins anew where it was lost.
class FarCommand {
public:
    FarCommand(remote::Connection& connection, const std::string& host, const FarCommandLine& line,
               const FarTerminal& terminal)
        : m_connection(connection), m_host(host), m_line(line), m_terminal(terminal),
          m_contents(contentsOf(line, terminal.input))
    {
    }

    int run();

private:
    Tree call(JobCall what, Tree request);
    void begin();
    void send(std::size_t file);
    Tree execute();
    void print(const std::future<Result<Tree>>& answer);
    void fetch(const JsonReader& written);
    void passOnInterrupt();

    remote::Connection& m_connection;
    const std::string& m_host;
    const FarCommandLine& m_line;
    const FarTerminal& m_terminal;
    const std::vector<std::string> m_contents;  // of the line's files
    std::string m_job;                          // its name there
    std::string m_folder;                       // of its files there
    std::uint64_t m_out = 0, m_err = 0;         // bytes printed so far, over all beginnings
    bool m_isInterrupted = false;
};

int FarCommand::run()
{
    for (int beginnings = 1;; ++beginnings) {
        try {
            begin();
            const Tree ended = execute();
            const JsonReader told = remote::reader(ended);
            for (const JsonReader& written : told["files"].items())
                fetch(written);
            const int exitCode = told["exit"].integer(0, 255);
            if (told["problem"])
                fail(ErrorCode::TooLarge, told["problem"].text());
            if (exitCode > kKilledBySignal && !m_isInterrupted)
                say("The command was killed on " + m_host + " by signal " +
                    std::to_string(exitCode - kKilledBySignal) +
                    "; if its memory ran out, choose a smaller model or a shorter prompt.");
            return exitCode;
        } catch (const JobLost&) {
            if (beginnings == kMostBeginnings)
                fail(ErrorCode::Internal, "The engine on " + m_host + " was ended " +
                                              std::to_string(beginnings) +
                                              " times while it ran this; look why with \"ssh " + m_host +
                                              " headscope serve --status\".");
            if (m_isInterrupted)
                fail(ErrorCode::Cancelled,
                     "The engine on " + m_host + " has ended, and the command with it.");
            say("The engine on " + m_host + " has ended; the command runs anew.");
        }
    }
}

/// Each has a thread of its own there. Throws JobLost if it is not known.
Tree FarCommand::call(JobCall what, Tree request)
{
    request["do"] = wordOf(what);
    request["own"] = true;
    if (what != JobCall::Begin)
        request["job"] = m_job;
    Tree answer = orThrow(m_connection.call(request, {[this](int, int) { passOnInterrupt(); }, {}}));
    if (!remote::reader(answer)["known"].flag(true))
        throw JobLost();
    return answer;
}

/// Called often on the thread of the output. The command ends in its own way, so nothing is cancelled.
void FarCommand::passOnInterrupt()
{
    if (!m_terminal.stop.stop_requested() || m_isInterrupted || m_job.empty())
        return;
    m_isInterrupted = true;
    // Where there is nothing to interrupt any more, whoever waits for it finds out.
    static_cast<void>(m_connection.call({{"do", wordOf(JobCall::Interrupt)}, {"own", true}, {"job", m_job}}));
}

void FarCommand::begin()
{
    m_job.clear();
    Tree files = Tree::array();
    for (const FarCommandLine::File& file : m_line.files)
        files.push_back({{"name", file.there.name}, {"place", wordOf(file.there.place)}});
    const Tree begun = call(JobCall::Begin, {{"files", files}});
    m_job = remote::reader(begun)["job"].text();
    m_folder = remote::reader(begun)["folder"].text();
    for (std::size_t index = 0; index < m_line.files.size(); ++index)
        send(index);
}

void FarCommand::send(std::size_t file)
{
    const std::string_view content = m_contents[file];
    if (m_line.files[file].there.place != Place::Content)
        return;
    std::size_t at = 0;
    do {  // once for an empty file, too
        const std::string_view piece = content.substr(at, kPiece);
        call(JobCall::Put,
             {{"file", file}, {"at", at}, {"bytes", remote::binaryOf(std::as_bytes(std::span(piece)))}});
        at += piece.size();
    } while (at < content.size());
}

/// From start to end; what it answers then.
Tree FarCommand::execute()
{
    Tree request = {{"do", wordOf(JobCall::Command)},
                    {"own", true},
                    {"job", m_job},
                    {"words", m_line.wordsIn(m_folder)},
                    {"terminal", m_terminal.isWatched},
                    {"debug", std::getenv("HEADSCOPE_DEBUG") != nullptr}};
    if (const std::optional<std::size_t> input = m_line.input())
        request["input"] = *input;
    std::stop_source abandon;
    std::future<Result<Tree>> answer =
        std::async(std::launch::async, [&] { return m_connection.call(request, {{}, abandon.get_token()}); });
    try {
        print(answer);
    } catch (...) {
        abandon.request_stop();  // and the future waits for it
        throw;
    }
    Tree ended = orThrow(answer.get());
    if (!remote::reader(ended)["known"].flag(true))
        throw JobLost();
    return ended;
}

/// Shows what the command prints until it ends, or cannot be run.
void FarCommand::print(const std::future<Result<Tree>>& answer)
{
    Renaming::Names names;
    for (std::size_t index = 0; index < m_line.files.size(); ++index)
        names.emplace_back(m_line.files[index].there.pathIn(m_folder, index).string(),
                           m_line.files[index].path);
    Renaming out(names), err(names);
    const auto show = [](const JsonReader& bytes, std::uint64_t& offset, Renaming& renaming, const auto& to) {
        const std::size_t count = bytes.json().is_binary() ? bytes.json().get_binary().size() : 0;
        const std::span<const std::uint8_t> read = remote::readBytes(bytes, count);
        to(renaming.add({reinterpret_cast<const char*>(read.data()), read.size()}));
        offset += count;
    };
    try {
        for (bool isAll = false; !isAll;) {
            const bool hasEnded = answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
            const std::uint64_t before = m_out + m_err;
            const Tree printed = call(JobCall::Output, {{"out", m_out}, {"err", m_err}});
            const JsonReader told = remote::reader(printed);
            show(told["err"], m_err, err, m_terminal.err);
            show(told["out"], m_out, out, m_terminal.out);
            isAll = told["all"].flag() || (hasEnded && m_out + m_err == before);
        }
    } catch (const JobLost&) {
        m_out -= out.held();  // comes again, with the names of another job
        m_err -= err.held();
        throw;
    }
    m_terminal.err(err.rest());
    m_terminal.out(out.rest());
}

/// Brings back a file that the command wrote.
void FarCommand::fetch(const JsonReader& written)
{
    const auto index =
        static_cast<std::size_t>(written["file"].integer(0, static_cast<int>(m_line.files.size()) - 1));
    const auto total = static_cast<std::uint64_t>(written["bytes"].number(0, 1e15));
    AtomicFile file = AtomicFile::create(m_line.files[index].path);
    for (std::uint64_t at = 0; at < total;) {
        const Tree piece = call(JobCall::Fetch, {{"file", index}, {"at", at}});
        const JsonReader bytes = remote::reader(piece)["bytes"];
        const std::size_t count = bytes.json().is_binary() ? bytes.json().get_binary().size() : 0;
        if (count == 0 || count > total - at)
            bytes.bad("is not the file that the command wrote");
        file.writeAt(at, std::as_bytes(remote::readBytes(bytes, count)));
        at += count;
    }
    file.commit();
}

void writeAll(int handle, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = write(handle, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            fail(ErrorCode::BadFile, "Standard output cannot be written to; check where it goes.");
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

/// Waits for the first word of the other machine, and says so where that takes long.
void awaitLine(remote::Connection& connection, const std::string& host, const std::stop_token& stop)
{
    using Kind = remote::Connection::State::Kind;
    constexpr std::chrono::milliseconds kStep{50};
    constexpr int kStepsUntilWord = 60;
    for (int steps = 1;; ++steps) {
        const Result<remote::Hello> hello = connection.connect(kStep);
        if (hello)
            return;
        if (connection.state().kind == Kind::Refused)
            throw Failure(hello.error());
        if (stop.stop_requested())
            fail(ErrorCode::Cancelled, "Stopped before " + host + " answered.");
        if (steps == kStepsUntilWord)
            say("Waiting for " + host + " …");
    }
}

}  // namespace

int runFarCommand(remote::Connection& connection, const std::string& host, const FarCommandLine& line,
                  const FarTerminal& terminal)
{
    return FarCommand(connection, host, line, terminal).run();
}

int runFarCommand(const std::string& host, const FarCommandLine& line)
{
    const std::stop_token stop = interruptToken();  // first, so that all threads leave the signals to it
    LineMessages messages(host);
    remote::Connection connection([host] { return remote::openSshLine({host, {}}); },
                                  [&](const remote::Connection::State& state) { messages.tell(state); });
    awaitLine(connection, host, stop);
    return runFarCommand(connection, host, line,
                         {[](std::string_view bytes) { writeAll(STDOUT_FILENO, bytes); },
                          [](std::string_view bytes) { writeAll(STDERR_FILENO, bytes); }, STDIN_FILENO,
                          isatty(STDERR_FILENO) == 1, stop});
}

}  // namespace hs::app
