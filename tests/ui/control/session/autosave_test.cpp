#include "control/session/autosave.h"

#include "support/catch.h"
#include "support/temp_dir.h"
#include "ui/control/session/sample_session.h"

#include <QCoreApplication>
#include <QDir>
#include <QEventLoop>
#include <QProcess>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <cstdio>
#include <random>

using namespace hs;
using namespace std::chrono_literals;
using test::sampleSession;
namespace fs = std::filesystem;

namespace {

constexpr const char* kFolderVariable = "HS_TEST_RECOVERY_FOLDER";
constexpr const char* kChildTest = "the program that the recovery tests kill";
const fs::path kUserFile = "/somewhere/work.headscope";

QStringList filesIn(const fs::path& folder)
{
    return QDir(QString::fromStdString(folder.string())).entryList(QDir::Files | QDir::Hidden);
}

/// The n-th state of a constantly changing session; long, so that writing takes a while.
control::Session changingSession(int number)
{
    control::Session session = sampleSession();
    control::setPrompt(session.document, QString::number(number).repeated(50'000));
    session.document.target = QString::number(number);
    return session;
}

void waitForWritten(control::Autosave& autosave)
{
    QSignalSpy written(&autosave, &control::Autosave::written);
    autosave.touch();
    REQUIRE(written.wait());
}

/// A separate program that autosaves into the folder for ever.
class Child {
public:
    explicit Child(const fs::path& folder)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QString::fromLatin1(kFolderVariable), QString::fromStdString(folder.string()));
        m_process.setProcessEnvironment(environment);
        m_process.start(QCoreApplication::applicationFilePath(), {QString::fromLatin1(kChildTest)});
    }
    ~Child() { kill(); }

    /// Waits until that many more states are on disk.
    void waitForWrites(int count)
    {
        while (count > 0) {
            REQUIRE((m_process.canReadLine() || m_process.waitForReadyRead()));
            while (count > 0 && m_process.canReadLine())
                count -= m_process.readLine().trimmed() == "written";
        }
    }
    void kill()
    {
        m_process.kill();  // SIGKILL
        m_process.waitForFinished();
    }

private:
    QProcess m_process;
};

}  // namespace

TEST_CASE("the program that the recovery tests kill", "[.]")
{
    const QString folder = qEnvironmentVariable(kFolderVariable);
    if (folder.isEmpty())
        return;
    int number = 0;
    control::Autosave autosave(folder.toStdString(), [&] { return changingSession(++number); });
    autosave.setInterval(0ms);
    autosave.setUserFile(kUserFile);
    QObject::connect(&autosave, &control::Autosave::written, [&] {
        std::fputs("written\n", stdout);
        std::fflush(stdout);
        autosave.touch();
    });
    autosave.touch();
    QEventLoop().exec();
}

TEST_CASE("a program that is killed leaves its session whole, whenever it is killed", "[fault]")
{
    std::mt19937 random(static_cast<unsigned>(GENERATE(1, 2, 3)));
    const test::TempDir folder;
    for (int round = 0; round < 4; ++round) {
        Child child(folder.path());
        child.waitForWrites(1 + static_cast<int>(random() % 6));
        child.kill();
        const std::vector<control::RecoveredSession> found = control::findLeftBehind(folder.path());
        REQUIRE(found.size() == 1);
        const int number = found[0].session.document.target.toInt();
        CHECK(number > 0);
        CHECK(found[0].session == changingSession(number));
        CHECK(found[0].userFile == kUserFile);
        control::discard(found[0]);
    }
    CHECK(control::findLeftBehind(folder.path()).empty());
    CHECK(filesIn(folder.path()).isEmpty());
}

TEST_CASE("a copy is whole at every moment, also while the next one is written", "[fault]")
{
    const test::TempDir folder;
    Child child(folder.path());
    child.waitForWrites(1);
    const QStringList copies = filesIn(folder.path()).filter(QRegularExpression("\\.headscope$"));
    REQUIRE(copies.size() == 1);
    const fs::path file = folder / copies[0].toStdString();
    for (int states = 0, last = 0; states < 5;) {
        const Result<control::Session> session = control::loadSession(file);
        if (!session)
            FAIL(session.error().message);
        const int number = session->document.target.toInt();
        REQUIRE(number >= last);
        states += number > last;
        last = number;
    }
}

TEST_CASE("a program that lives keeps its session to itself")
{
    const test::TempDir folder;
    Child child(folder.path());
    child.waitForWrites(1);
    CHECK(control::findLeftBehind(folder.path()).empty());
    child.waitForWrites(1);  // and is not disturbed

    control::Autosave own(folder.path(), sampleSession);
    own.setInterval(0ms);
    waitForWritten(own);
    CHECK(control::findLeftBehind(folder.path()).empty());
    child.kill();
    CHECK(control::findLeftBehind(folder.path()).size() == 1);
    CHECK(filesIn(folder.path()).contains(QString::fromStdString(own.file().filename().string())));
}

TEST_CASE("two programs that start at once do not recover the same session", "[fault]")
{
    const test::TempDir folder;
    REQUIRE(control::saveSession(sampleSession(), folder / "a.headscope").ok());
    std::vector<control::RecoveredSession> first = control::findLeftBehind(folder.path());
    REQUIRE(first.size() == 1);
    CHECK(control::findLeftBehind(folder.path()).empty());
    first.clear();  // not discarded: it is found again
    CHECK(control::findLeftBehind(folder.path()).size() == 1);
}

TEST_CASE("a clean close leaves nothing behind")
{
    const test::TempDir folder;
    {
        control::Autosave autosave(folder / "not" / "there yet", sampleSession);
        autosave.setInterval(0ms);
        waitForWritten(autosave);
        CHECK(filesIn(folder / "not" / "there yet").size() == 2);  // the session and its lock
    }
    CHECK(filesIn(folder / "not" / "there yet").isEmpty());
    {
        control::Autosave autosave(folder.path(), sampleSession);
        autosave.setInterval(1h);
        autosave.touch();
    }
    CHECK(filesIn(folder.path()).isEmpty());
}

TEST_CASE("many changes within the interval are one write of the last of them")
{
    const test::TempDir folder;
    control::Session session;
    int asked = 0;
    control::Autosave autosave(folder.path(), [&] {
        ++asked;
        return session;
    });
    autosave.setInterval(20ms);
    QSignalSpy written(&autosave, &control::Autosave::written);
    for (int change = 0; change < 100; ++change) {
        control::setPrompt(session.document, QString::number(change));
        autosave.touch();
    }
    REQUIRE(written.wait());
    CHECK(asked == 1);
    CHECK(control::loadSession(autosave.file())->document.prompt().text == "99");
}

TEST_CASE("a saved session needs no copy, and a change after it gets one")
{
    const test::TempDir folder;
    int asked = 0;
    control::Autosave autosave(folder.path(), [&] {
        ++asked;
        return sampleSession();
    });
    autosave.setInterval(0ms);
    waitForWritten(autosave);
    REQUIRE(fs::exists(autosave.file()));
    autosave.touch();
    autosave.clear();
    CHECK(QTest::qWaitFor([&] { return !fs::exists(autosave.file()); }));
    QCoreApplication::processEvents();
    CHECK(asked == 1);  // the change before it was saved, too
    waitForWritten(autosave);
    CHECK(fs::exists(autosave.file()));
}

TEST_CASE("a copy that cannot be written is reported in a sentence", "[fault]")
{
    const test::TempDir folder;
    folder.write("file", "in the way");
    control::Autosave autosave(folder / "file", sampleSession);
    autosave.setInterval(0ms);
    QSignalSpy failed(&autosave, &control::Autosave::failed);
    autosave.touch();
    REQUIRE(failed.wait());
    CHECK(failed[0][0].toString().endsWith(QLatin1Char('.')));
}

TEST_CASE("what was left behind is found newest first, without what is damaged", "[fault]")
{
    const test::TempDir folder;
    CHECK(control::findLeftBehind(folder / "absent").empty());
    const auto now = fs::file_time_type::clock::now();
    for (int age = 0; age < 3; ++age) {
        const fs::path file = folder / (std::to_string((age + 1) % 3) + ".headscope");
        REQUIRE(control::saveSession(changingSession(age), file).ok());
        fs::last_write_time(file, now - std::chrono::hours(age));
    }
    folder.write("empty.headscope", "");
    folder.write("half.headscope", control::writeSession(sampleSession(), kUserFile).substr(0, 400));
    folder.write("odd.headscope", R"({"headscope": {"version": 1}, "recovery": {"file": 5}})");
    folder.write("list.headscope", "[]");
    folder.write("notes.txt", "mine");
    folder.write("0.headscope.12-0.part", "half");
    const std::vector<control::RecoveredSession> found = control::findLeftBehind(folder.path());
    REQUIRE(found.size() == 3);
    for (int age = 0; age < 3; ++age)
        CHECK(found[static_cast<std::size_t>(age)].session == changingSession(age));
    CHECK(found[0].userFile.empty());
    CHECK_FALSE(fs::exists(folder / "0.headscope.12-0.part"));
    CHECK(fs::exists(folder / "notes.txt"));
}
