#include "control/session/autosave.h"

#include "base/atomic_file.h"
#include "base/failure.h"
#include "base/json_reader.h"
#include "control/session/session_file.h"

#include <QDir>
#include <QLockFile>
#include <QUuid>

#include <unistd.h>

#include <algorithm>
#include <set>

namespace hs::control {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".headscope";
constexpr const char* kLockEnding = ".lock";
constexpr const char* kPartEnding = ".part";  // of AtomicFile
constexpr std::chrono::seconds kUsualInterval{10};
constexpr int kSlot = 0;

QString toQString(const fs::path& path)
{
    return QString::fromStdString(path.string());
}

/// Stale only once its owner is dead, however old the lock is.
std::unique_ptr<QLockFile> lockOf(const fs::path& file)
{
    auto lock = std::make_unique<QLockFile>(toQString(file) + QLatin1String(kLockEnding));
    lock->setStaleLockTime(0);
    return lock;
}

/// The session as a file that can also be opened by hand, with the user's file it belongs to.
std::string recoveryText(const Session& session, const fs::path& file, const fs::path& userFile)
{
    auto tree = nlohmann::ordered_json::parse(writeSession(session, userFile.empty() ? file : userFile));
    tree["recovery"] = {{"file", userFile.string()}};
    return tree.dump(2, ' ', false, decltype(tree)::error_handler_t::replace) + '\n';
}

void writeRecovery(QLockFile& lock, const Session& session, const fs::path& file, const fs::path& userFile)
{
    if (!lock.isLocked()) {
        QDir().mkpath(toQString(file.parent_path()));
        if (!lock.tryLock(0))
            fail(ErrorCode::BadRequest,
                 Autosave::tr(
                     "Unsaved work cannot be kept in %1; check that you may write there, and save often "
                     "meanwhile.")
                     .arg(toQString(file.parent_path()))
                     .toStdString());
    }
    writeFile(file, recoveryText(session, file, userFile));
}

/// Throws Failure.
RecoveredSession readRecovery(const fs::path& file)
{
    const std::string text = readSessionText(file);
    const Json tree = parseJson(text, file.string());
    RecoveredSession recovered;
    recovered.userFile = JsonReader(tree, file.string(), "open it by hand")["recovery"]["file"].text("");
    recovered.session = orThrow(readSession(text, recovered.userFile.empty() ? file : recovered.userFile));
    recovered.file = file;
    recovered.written = fs::last_write_time(file);
    return recovered;
}

/// The copies that a folder holds or once held: files, and locks left by dead programs.
std::set<QString> copiesIn(const QDir& folder)
{
    std::set<QString> names;
    for (QString name : folder.entryList(QDir::Files)) {
        if (name.endsWith(QLatin1String(kLockEnding)))
            name.chop(static_cast<qsizetype>(std::char_traits<char>::length(kLockEnding)));
        if (name.endsWith(QLatin1String(kEnding)))
            names.insert(name);
    }
    return names;
}

void removeParts(QDir folder, const QString& name)
{
    for (const QString& part :
         folder.entryList({name + QLatin1String(".*") + QLatin1String(kPartEnding)}, QDir::Files))
        folder.remove(part);
}

}  // namespace

Autosave::Autosave(const fs::path& folder, std::function<Session()> current, QObject* parent)
    : QObject(parent),
      m_file(folder / (QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString() + kEnding)),
      m_current(std::move(current)), m_lock(lockOf(m_file)), m_worker(std::make_unique<WorkQueue>())
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kUsualInterval);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::write);
}

Autosave::~Autosave()
{
    m_worker.reset();  // finishes a copy that is being written
    ::unlink(m_file.c_str());
}

void Autosave::touch()
{
    if (!m_timer.isActive())
        m_timer.start();
}

void Autosave::clear()
{
    m_timer.stop();
    m_worker->post(kSlot, [this](std::stop_token) { ::unlink(m_file.c_str()); });
}

void Autosave::write()
{
    m_worker->post(kSlot, [this, session = m_current(), userFile = m_userFile](std::stop_token) {
        const Result<fs::path> result = guarded([&] {
            writeRecovery(*m_lock, session, m_file, userFile);
            return m_file;
        });
        const QString problem = result ? QString() : QString::fromStdString(result.error().message);
        QMetaObject::invokeMethod(
            this,
            [this, problem] {
                if (problem.isEmpty())
                    Q_EMIT written();
                else
                    Q_EMIT failed(problem);
            },
            Qt::QueuedConnection);
    });
}

std::vector<RecoveredSession> findLeftBehind(const fs::path& folder)
{
    const QDir place(toQString(folder));
    std::vector<RecoveredSession> found;
    for (const QString& name : copiesIn(place)) {
        const fs::path file = folder / name.toStdString();
        std::shared_ptr<QLockFile> lock = lockOf(file);
        if (!lock->tryLock(0))  // its owner is alive
            continue;
        removeParts(place, name);
        if (!place.exists(name))
            continue;
        Result<RecoveredSession> recovered = guarded([&] { return readRecovery(file); });
        if (!recovered)
            continue;
        recovered->lock = std::move(lock);
        found.push_back(std::move(*recovered));
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &RecoveredSession::written);
    return found;
}

void discard(const RecoveredSession& recovered)
{
    ::unlink(recovered.file.c_str());
}

}  // namespace hs::control
