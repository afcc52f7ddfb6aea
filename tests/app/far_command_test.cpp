#include "app/remote/far_command.h"
#include "app/remote/renaming.h"
#include "app/remote/serve_handler.h"
#include "app/shell/command_facts.h"
#include "app/support/arguments.h"
#include "app/support/commands.h"
#include "remote/daemon.h"
#include "remote/line.h"
#include "support/bytes_of.h"

#include "support/catch.h"
#include "support/refusals.h"
#include "support/temp_dir.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <thread>

using namespace hs;
using hs::test::TempDir;

namespace {

/// A command with an option of each sort.
struct Sample {
    Sample()
    {
        command.add_option("--model", model)->type_name("DIR");
        command.add_option("--prompts", prompts)->type_name("F");
        command.add_option("--text-file", prompts)->type_name("F");
        command.add_option("--json", json)->type_name("F");
        app::addHostOption(command, host);
    }

    CLI::App command{"", "sweep"};
    std::string model, prompts, json, host;
};

app::FarCommandLine lineOf(const std::vector<std::string>& typed)
{
    return app::farCommandLine(Sample().command, typed);
}

/// A daemon whose commands are a shell script, with the words as its arguments.
class FarMachine {
public:
    explicit FarMachine(const std::string& script)
        : m_script(m_folder.write("program", "#!/bin/sh\n" + script))
    {
        chmod(m_script.c_str(), 0700);
        start();
    }

    void start()
    {
        m_daemon = std::jthread([this](const std::stop_token& stop) {
            remote::DaemonOptions options;
            options.folder = state();
            options.stop = stop;
            remote::runDaemon(options, [this] {
                return std::make_unique<app::ServeHandler>(m_script.string(), state() / "jobs");
            });
        });
    }
    void restart()
    {
        m_daemon = {};
        start();
    }

    std::unique_ptr<remote::Line> dial()
    {
        while (!std::filesystem::exists(remote::socketIn(state())))
            std::this_thread::yield();
        std::unique_ptr<remote::Line> line = remote::openSocketLine(remote::socketIn(state()));
        m_line = line->in();
        return line;
    }
    void cut() const { shutdown(m_line, SHUT_RDWR); }

    /// Runs a command line; `onOut` gets all that was printed so far, each time.
    int run(const std::vector<std::string>& typed, const std::function<void(const std::string&)>& onOut = {},
            const std::stop_token& stop = {}, int input = 0)
    {
        remote::Connection connection([this] { return dial(); });
        return app::runFarCommand(connection, "far", lineOf(typed),
                                  {[&](std::string_view bytes) {
                                       out += bytes;
                                       if (onOut && !bytes.empty())
                                           onOut(out);
                                   },
                                   [&](std::string_view bytes) { err += bytes; }, input, false, stop});
    }

    std::filesystem::path state() const { return m_folder / "state"; }
    std::filesystem::path file(const std::string& name) const { return m_folder / name; }
    const TempDir& folder() const { return m_folder; }

    std::string out, err;

private:
    TempDir m_folder;
    std::filesystem::path m_script;
    std::atomic<int> m_line = -1;
    std::jthread m_daemon;
};

}  // namespace

TEST_CASE("what a far command reads is sent, what it writes is only named, and the rest stays as typed")
{
    const TempDir folder;
    const std::string prompts = folder.write("big.jsonl", "{}").string();
    const std::string old = folder.write("old.json", "old").string();
    const app::FarCommandLine line = lineOf({"sweep", "--host", "gpu", "--model", "models/x", "--prompts",
                                             prompts, "--json=" + old, "--host=gpu", "--", "--json", old});
    REQUIRE(line.files.size() == 2);
    CHECK(line.files[0].there.place == app::Place::Content);
    CHECK(line.files[1].there.place == app::Place::Empty);
    CHECK(line.wordsIn("/far") == std::vector<std::string>{"sweep", "--model", "models/x", "--prompts",
                                                           "/far/0/big.jsonl", "--json=/far/1/old.json", "--",
                                                           "--json", old});
    CHECK(app::contentsOf(line, 0) == std::vector<std::string>{"{}", ""});
}

TEST_CASE("a far command finds the faults that it would find here")
{
    const TempDir folder;
    const auto placeOf = [&](const std::string& name) {
        return lineOf({"sweep", "--json", (folder / name).string()}).files.at(0).there.place;
    };
    CHECK(placeOf("new.json") == app::Place::New);
    CHECK(placeOf("no/such/folder.json") == app::Place::Missing);
    CHECK(placeOf("") == app::Place::Folder);
    CHECK(lineOf({"sweep", "--json", "/dev/null"}).files.at(0).there.place == app::Place::New);
    CHECK(lineOf({"sweep", "--json", "-"}).files.empty());
    CHECK(lineOf({"sweep", "--text-file", "-"}).input() == 0u);
}

TEST_CASE("far file names become those of here, however the text is cut")
{
    const app::Renaming::Names names = {{"/far/0/a.json", "a.json"}, {"/far/0/a.json.gz", "b"}};
    const std::string text = "x /far/0/a.json, /far/0/a.json.gz: /far/0/a.jso";
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
        app::Renaming renaming(names);
        std::string shown;
        for (std::size_t at = 0; at < text.size(); at += piece)
            shown += renaming.add(std::string_view(text).substr(at, piece));
        CHECK(shown + renaming.rest() == "x a.json, b: /far/0/a.jso");
    }
}

TEST_CASE("files travel with a far command and back, its folder is private and goes with the client")
{
    FarMachine far(
        "cat \"$3\" >\"$5\"; stat -c %a \"${5%/*}/..\"; echo \"wrote $5\" >&2; ls \"$5\" >/dev/null; exit 7");
    const std::string prompts = far.folder().write("prompts", std::string(3'000'000, 'p') + "end").string();
    const std::string json = far.file("out.json").string();
    CHECK(far.run({"sweep", "--prompts", prompts, "--json", json}) == 7);
    CHECK(far.out == "700\n");
    CHECK(far.err == "wrote " + json + "\n");
    CHECK(test::bytesOf(json) == test::bytesOf(prompts));
    far.restart();  // ends every session
    CHECK(std::filesystem::is_empty(far.state() / "jobs"));
}

TEST_CASE("a file that the far command did not write is left alone here")
{
    FarMachine far("exit 0");
    const std::filesystem::path json = far.folder().write("out.json", "old");
    CHECK(far.run({"sweep", "--json", json.string()}) == 0);
    CHECK(test::bytesOf(json) == "old");
}

TEST_CASE("standard input travels to a far command")
{
    FarMachine far("cat");
    const std::filesystem::path text = far.folder().write("text", "from here");
    const int input = open(text.c_str(), O_RDONLY);
    CHECK(far.run({"sweep", "--text-file", "-"}, {}, {}, input) == 0);
    close(input);
    CHECK(far.out == "from here");
}

TEST_CASE("a lost line loses nothing of what a far command prints, and doubles nothing")
{
    const TempDir folder;
    const std::string go = (folder / "go").string();
    FarMachine far("echo one; while [ ! -e " + go + " ]; do sleep 0.01; done; echo two");
    bool isCut = false;
    CHECK(far.run({"sweep"}, [&](const std::string&) {
        if (!std::exchange(isCut, true)) {
            far.cut();
            folder.write("go", "");
        }
    }) == 0);
    CHECK(far.out == "one\ntwo\n");
}

TEST_CASE("a far command whose daemon has ended runs anew, and prints what was not printed yet")
{
    const TempDir folder;
    const std::string go = (folder / "go").string();
    FarMachine far("echo one; cat \"$3\"; while [ ! -e " + go +
                   " ]; do sleep 0.01; done; echo two >\"$5\"; echo two");
    const std::string prompts = far.folder().write("prompts", "sent again\n").string();
    const std::string json = far.file("out.json").string();
    bool isRestarted = false;
    CHECK(far.run({"sweep", "--prompts", prompts, "--json", json}, [&](const std::string& out) {
        if (out.ends_with("again\n") && !std::exchange(isRestarted, true)) {
            far.restart();
            folder.write("go", "");
        }
    }) == 0);
    CHECK(far.out == "one\nsent again\ntwo\n");
    CHECK(test::bytesOf(json) == "two\n");
}

TEST_CASE("Ctrl-C reaches a far command, and what it saves then comes back")
{
    FarMachine far(
        "trap 'echo saved >\"$3\"; echo late; exit 3' INT; echo ready; while :; do sleep 0.01; done");
    const std::string json = far.file("out.json").string();
    std::stop_source stop;
    CHECK(far.run(
              {"sweep", "--json", json}, [&](const std::string&) { stop.request_stop(); },
              stop.get_token()) == 3);
    CHECK(far.out == "ready\nlate\n");
    CHECK(test::bytesOf(json) == "saved\n");
}

TEST_CASE("a far command that cannot be started is refused")
{
    FarMachine far("exit 0");
    std::filesystem::remove(far.file("program"));
    CHECK(test::isRefused([&] { far.run({"sweep"}); }, "cannot be started"));
}

TEST_CASE("every file of every command is known to be read or to be written")
{
    CLI::App all;
    app::Action action;
    for (const auto add :
         {app::addRunCommand, app::addLensCommand, app::addTokenizeCommand, app::addMemoryCommand,
          app::addMetricsCommand, app::addAttributeCommand, app::addEdgesCommand, app::addCompareCommand,
          app::addCheckCommand, app::addSweepCommand, app::addCircuitCommand, app::addScatterCommand,
          app::addFlowCommand, app::addPairsCommand, app::addTrainCommand, app::addSparsifyCommand,
          app::addTranscodeCommand, app::addDemoCommand, app::addBenchCommand})
        add(all, action);
    const std::vector<std::string> written = {"--json", "--csv", "--npz", "--out"};
    const std::vector<std::string> read = {"--text-file", "--chat",      "--prompts", "--pairs", "--config",
                                           "--baseline",  "--reference", "--from",    "--resume"};
    int count = 0;
    for (const app::CommandFacts& command : app::programFacts(all).commands)
        for (const app::OptionFacts& option : command.options) {
            const std::string& name = option.names.front();
            INFO(command.name << ' ' << name);
            if (option.value != "F")
                continue;
            ++count;
            const app::FileUse use = app::fileUse(*all.get_subcommand(command.name)->get_option(name));
            CHECK((use == app::FileUse::Written) == (std::ranges::count(written, name) > 0));
            CHECK((use == app::FileUse::Read) == (std::ranges::count(read, name) > 0));
        }
    CHECK(count > 20);
}
