#pragma once

#include "base/result.h"
#include "base/work_queue.h"
#include "control/session/session.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

class QLockFile;

namespace hs::control {

/// Keeps a copy of the unsaved session in a file of its own, in case the program dies. A lock file beside
/// it shows that the owner is alive. The file is written on a thread of its own, since flushing to disk
/// may take longer than a frame. Lives on the UI thread; its destruction is a clean close, which leaves
/// nothing behind.
class Autosave : public QObject {
    Q_OBJECT

public:
    /// `current` is called on the UI thread whenever it is time to write.
    Autosave(const std::filesystem::path& folder, std::function<Session()> current,
             QObject* parent = nullptr);
    ~Autosave() override;

    /// How long after a change the copy is written, and so the least time between two writes.
    void setInterval(std::chrono::milliseconds interval) { m_timer.setInterval(interval); }
    /// The user's file that the session belongs to; empty: none yet.
    void setUserFile(std::filesystem::path file) { m_userFile = std::move(file); }

    /// Something changed that is not in the user's file.
    void touch();
    /// Everything is in the user's file: removes the copy.
    void clear();

    const std::filesystem::path& file() const { return m_file; }

Q_SIGNALS:
    void written();                       // the copy is on disk
    void failed(const QString& message);  // it is not; one sentence with the remedy

private:
    void write();

    std::filesystem::path m_file;
    std::filesystem::path m_userFile;
    std::function<Session()> m_current;
    QTimer m_timer;
    std::unique_ptr<QLockFile> m_lock;  // held by the worker while there is one
    std::unique_ptr<WorkQueue> m_worker;
};

/// The session of a program that died. While this or a copy of it exists, no other program finds it.
struct RecoveredSession {
    Session session;
    std::filesystem::path userFile;  // that it belongs to; empty: none
    std::filesystem::path file;      // the copy
    std::filesystem::file_time_type written;
    std::shared_ptr<QLockFile> lock;
};

/// What dead programs left in the folder, newest first; unreadable files are skipped.
std::vector<RecoveredSession> findLeftBehind(const std::filesystem::path& folder);

/// Removes the copy. To lose nothing, call it once the recovered session is safe elsewhere
/// (Autosave::written) or the user declined.
void discard(const RecoveredSession& recovered);

}  // namespace hs::control
