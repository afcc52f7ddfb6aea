// Saving while the machine fails in the middle.
#include "control/session/autosave.h"
#include "support/catch.h"
#include "support/faults.h"
#include "support/temp_dir.h"
#include "ui/control/session/sample_session.h"

#include <QCoreApplication>
#include <QProcess>
#include <QSignalSpy>

#include <functional>

using namespace hs;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr const char* kSavingFolder = "HS_TEST_SAVING_FOLDER";

fs::path givenFolder()
{
    return qEnvironmentVariable(kSavingFolder).toStdString();
}

control::Session newSession()
{
    control::Session session = test::sampleSession();
    control::setPrompt(session.document, QStringLiteral("the new one"));
    return session;
}

/// Runs one of the hidden tests below in a separate program whose writing fails at a step.
QProcess::ExitStatus run(const char* program, const fs::path& folder, const std::string& fault, int step)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QString::fromLatin1(kSavingFolder), QString::fromStdString(folder.string()));
    for (const std::string& variable : test::faultVariables(fault, step)) {
        const auto equals = variable.find('=');
        environment.insert(QString::fromStdString(variable.substr(0, equals)),
                           QString::fromStdString(variable.substr(equals + 1)));
    }
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QCoreApplication::applicationFilePath(), {QString::fromLatin1(program)});
    REQUIRE(process.waitForFinished(120'000));
    if (process.exitStatus() == QProcess::NormalExit)
        CHECK(process.exitCode() == 0);
    return process.exitStatus();
}

/// Calls `check` after killing the program at each of its steps; returns the number of kills.
int killAtEveryStep(const char* program, const fs::path& folder, const std::function<void()>& check)
{
    for (int step = 1;; ++step) {
        CAPTURE(step);
        const bool isKilled = run(program, folder, "kill", step) == QProcess::CrashExit;
        check();
        if (!isKilled)
            return step - 1;
        REQUIRE(step < 50);
    }
}

}  // namespace

TEST_CASE("a program that saves a session", "[.]")
{
    if (!givenFolder().empty())
        CHECK(control::saveSession(newSession(), givenFolder() / "session.headscope"));
}

TEST_CASE("a program that finds the disk full when it saves a session", "[.]")
{
    if (givenFolder().empty())
        return;
    const auto saved = control::saveSession(newSession(), givenFolder() / "session.headscope");
    REQUIRE_FALSE(saved);
    CHECK(saved.error().message.find("free some space") != std::string::npos);
}

TEST_CASE("a program that keeps a copy of a session", "[.]")
{
    if (givenFolder().empty())
        return;
    int number = 0;
    control::Autosave autosave(givenFolder(),
                               [&] { return ++number == 1 ? test::sampleSession() : newSession(); });
    autosave.setInterval(0ms);
    QSignalSpy written(&autosave, &control::Autosave::written);
    for (int copy = 1; copy <= 2; ++copy) {
        autosave.touch();
        REQUIRE((written.count() >= copy || written.wait()));
    }
}

TEST_CASE("a session whose saving is killed at any step is the old one or the new one", "[fault]")
{
    const test::TempDir folder;
    const fs::path file = folder / "session.headscope";
    REQUIRE(control::saveSession(test::sampleSession(), file));
    const int kills = killAtEveryStep("a program that saves a session", folder.path(), [&] {
        const Result<control::Session> session = control::loadSession(file);
        REQUIRE(session);
        CHECK((*session == test::sampleSession() || *session == newSession()));
        REQUIRE(control::saveSession(test::sampleSession(), file));
    });
    CHECK(kills >= 4);  // creating, writing, flushing, renaming
}

TEST_CASE("a copy that is killed at any step of being written is whole, or not there at all", "[fault]")
{
    const test::TempDir folder;
    int copies = 0;
    const int kills = killAtEveryStep("a program that keeps a copy of a session", folder.path(), [&] {
        for (const control::RecoveredSession& found : control::findLeftBehind(folder.path())) {
            CHECK((found.session == test::sampleSession() || found.session == newSession()));
            control::discard(found);
            ++copies;
        }
    });
    CHECK(kills >= 8);
    CHECK(copies >= 4);  // the first copy exists whenever the second one was interrupted
}

TEST_CASE("a disk that is full at any step of saving leaves the old session", "[fault]")
{
    const test::TempDir folder;
    const fs::path file = folder / "session.headscope";
    for (int step = 1; step <= 3; ++step) {
        CAPTURE(step);
        REQUIRE(control::saveSession(test::sampleSession(), file));
        CHECK(run("a program that finds the disk full when it saves a session", folder.path(), "full",
                  step) == QProcess::NormalExit);
        CHECK(*control::loadSession(file) == test::sampleSession());
        CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
    }
}
