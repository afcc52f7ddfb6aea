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

/// The file behind the document: which one it is, whether it holds what is shown, saving it, and
/// the copy that survives a crash. Asks nobody; FileCommands does.
class SessionKeeper : public QObject {
    Q_OBJECT

public:
    using View = std::function<control::ViewState()>;

    SessionKeeper(control::Explorer& explorer, View view, const std::filesystem::path& recoveryFolder,
                  QObject* parent);

    const std::filesystem::path& file() const { return m_file; }  // empty: never saved
    bool isModified() const;
    /// Whether somebody else, such as a second window, has written the file since it was opened or saved
    /// here: saving would overwrite their work.
    bool wasWrittenElsewhere() const;
    control::Session session() const;

    Result<std::filesystem::path> saveTo(const std::filesystem::path& file);
    /// Opens a session's file; the caller applies the view it gives back.
    Result<control::Session> open(const std::filesystem::path& file);
    /// Goes on with what a crash left behind; it counts as modified.
    void recover(const control::RecoveredSession& recovered);
    void startNew(const control::Document& document);
    /// The program ends as the user wished: nothing is left to recover.
    void close();

Q_SIGNALS:
    void fileChanged();
    void modelChanged(const QString& title);  // another model than the session was saved with
    void autosaveFailed(const QString& message);

private:
    /// Tells one version of a file from another.
    struct Version {
        std::filesystem::file_time_type written;
        std::uintmax_t size = 0;

        friend bool operator==(const Version&, const Version&) = default;
    };

    static std::optional<Version> versionOf(const std::filesystem::path& file);  // none: not there
    void setFile(const std::filesystem::path& file);
    void touch();
    void checkTrace(control::Side side);

    control::Explorer& m_explorer;
    View m_view;
    std::filesystem::path m_file;
    std::optional<Version> m_version;             // of the file when it was last opened or saved here
    std::array<control::ModelTrace, 2> m_traces;  // of the session that was opened [Side]
    std::optional<control::RecoveredSession> m_recovered;  // until it is safe in our own copy
    std::unique_ptr<control::Autosave> m_autosave;
};

}  // namespace hs::window
