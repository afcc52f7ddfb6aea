#pragma once

#include "control/explorer/explorer.h"
#include "control/session/autosave.h"
#include "control/session/session.h"

#include <QObject>

#include <filesystem>
#include <functional>

class QWidget;

namespace hs::window {

class MessageBar;
class SessionKeeper;

/// What the File menu does: asks the user for files, opens and saves, and says in the message bar
/// what went wrong.
class FileCommands : public QObject {
    Q_OBJECT

public:
    enum class Answer { Save, Discard, Cancel };
    /// Asks whether to save changes; tests answer by themselves.
    using Question = std::function<Answer()>;
    enum class Clash { Overwrite, SaveAs, Cancel };
    /// Asks what to do about a file that somebody else has written; tests answer by themselves.
    using ClashQuestion = std::function<Clash()>;

    FileCommands(control::Explorer& explorer, SessionKeeper& keeper, MessageBar& messages, QWidget* window);

    void setQuestion(Question question) { m_question = std::move(question); }
    void setClashQuestion(ClashQuestion question) { m_clashQuestion = std::move(question); }

    /// Asks about unsaved changes; whether it is fine to go on.
    bool mayLeave();
    bool save();
    bool saveAs();
    bool saveTo(const std::filesystem::path& file);
    void startNew(const control::Document& document);
    void askForSession();
    void openSession(const std::filesystem::path& file);
    void askForModelFolder(control::Side side);
    void askForModelFile(control::Side side);
    void askForModelName(control::Side side);
    /// Opens a model's folder or file, or a session, by what it is.
    void openPath(control::Side side, const QString& path);
    void askForPicture();
    /// Writes the heads as the grids show them; says so when it is done.
    void exportPicture(const std::filesystem::path& file);
    /// Tells of work that a crash left behind in `folder` and offers the newest.
    void offerRecovery(const std::filesystem::path& folder);
    bool canRecover() const { return !m_leftBehind.empty(); }
    /// Goes on with the newest of it.
    void recover();

Q_SIGNALS:
    void viewRestored(const hs::control::ViewState& view);
    void recoveryChanged();  // canRecover

private:
    void sayFailure(const Error& error);
    Answer askToSave();
    Clash askAboutClash();

    control::Explorer& m_explorer;
    SessionKeeper& m_keeper;
    MessageBar& m_messages;
    QWidget* m_window;
    Question m_question;
    ClashQuestion m_clashQuestion;
    std::vector<control::RecoveredSession> m_leftBehind;  // newest first
};

}  // namespace hs::window
