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

/// What the File menu does: asks the user for files, opens and saves, and reports failures in the message
/// bar.
class FileCommands : public QObject {
    Q_OBJECT

public:
    enum class Answer { Save, Discard, Cancel };
    /// Asks whether to save changes; tests supply the answer.
    using Question = std::function<Answer()>;
    enum class Clash { Overwrite, SaveAs, Cancel };
    /// Asks what to do about a file that was written elsewhere; tests supply the answer.
    using ClashQuestion = std::function<Clash()>;

    FileCommands(control::Explorer& explorer, SessionKeeper& keeper, MessageBar& messages, QWidget* window);

    void setQuestion(Question question) { m_question = std::move(question); }
    void setClashQuestion(ClashQuestion question) { m_clashQuestion = std::move(question); }

    /// Asks about unsaved changes and saves them if wanted; whether to go on.
    bool mayLeave();
    bool save();
    bool saveAs();
    bool saveTo(const std::filesystem::path& file);
    void startNew(const control::Document& document);
    void askForSession();
    void openSession(const std::filesystem::path& file);
    void askForModelFolder(Side side);
    void askForModelFile(Side side);
    void askForModelName(Side side);
    void askForMaps(Side side);
    void askForPrompts();
    /// Opens a session, a set of prompts, or a model's folder or file, depending on the path's ending.
    void openPath(Side side, const QString& path);
    void askForPicture();
    void askForPage();
    /// Writes the heads as the grids show them, and reports when it is done.
    void exportPicture(const std::filesystem::path& file);
    /// Finds work that a crash left behind in `folder` and offers to restore the newest.
    void offerRecovery(const std::filesystem::path& folder);
    bool canRecover() const { return !m_leftBehind.empty(); }
    /// Restores the newest work left behind.
    void recover();

Q_SIGNALS:
    void viewRestored(const hs::control::ViewState& view);
    void recoveryChanged();  // canRecover
    void promptsOpened();

private:
    /// Where the heads as shown go; says so if there are none, or if figures cannot show them.
    void askWhereTo(const QString& title, const QString& name, const QString& filters);
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
