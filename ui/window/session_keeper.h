#pragma once

#include "control/explorer/explorer.h"
#include "control/session/autosave.h"
#include "control/session/session.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace hs::window {

/// The document's file: which one it is, whether it matches what is shown, saving it, and the copy that
/// survives a crash. Never asks the user; FileCommands does.
class SessionKeeper : public QObject {
    Q_OBJECT

public:
    using View = std::function<control::ViewState()>;

    SessionKeeper(control::Explorer& explorer, View view, const std::filesystem::path& recoveryFolder,
                  QObject* parent);

    const std::filesystem::path& file() const { return m_file; }  // empty: never saved
    bool isModified() const;
    /// Whether another window or program has written the file since it was opened or saved here: saving would
    /// overwrite its changes.
    bool wasWrittenElsewhere() const;
    control::Session session() const;

    Result<std::filesystem::path> saveTo(const std::filesystem::path& file);
    /// Opens a session file; the caller applies the returned view.
    Result<control::Session> open(const std::filesystem::path& file);
    /// Restores what a crash left behind; it counts as modified.
    void recover(const control::RecoveredSession& recovered);
    void startNew(const control::Document& document);
    /// For a regular end of the program: leaves nothing to recover.
    void close();

Q_SIGNALS:
    void fileChanged();
    void modelChanged(const QString& title);  // not the model that the session was saved with
    void autosaveFailed(const QString& message);

private:
    /// Tells one version of a file from another.
    struct Version {
        std::filesystem::file_time_type written;
        std::uintmax_t size = 0;

        friend bool operator==(const Version&, const Version&) = default;
    };

    static std::optional<Version> versionOf(const std::filesystem::path& file);  // none: no such file
    void setFile(const std::filesystem::path& file);
    void touch();
    void checkTrace(Side side);

    control::Explorer& m_explorer;
    View m_view;
    std::filesystem::path m_file;
    std::optional<Version> m_version;             // of the file when it was last opened or saved here
    std::array<control::ModelTrace, 2> m_traces;  // of the session that was opened [Side]
    std::optional<control::RecoveredSession> m_recovered;  // until our own copy is written
    std::unique_ptr<control::Autosave> m_autosave;
};

}  // namespace hs::window
