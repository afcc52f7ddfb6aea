#include "window/file_commands.h"

#include "composer/figure_export.h"
#include "control/figures/figure_recipe.h"
#include "control/figures/figure_runs.h"
#include "panels/analyses/prompts/prompt_set_edits.h"
#include "window/message_bar.h"
#include "window/session_keeper.h"

#include <QFile>
#include <QFileDialog>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QWidget>

namespace hs::window {
namespace {

constexpr const char* kEnding = ".headscope";

std::filesystem::path toPath(const QString& name)
{
    return QFile::encodeName(name).toStdString();
}

QString toName(const std::filesystem::path& path)
{
    return QFile::decodeName(path.string().c_str());
}

QString sessionFilter()
{
    return FileCommands::tr("HeadScope sessions (*%1)").arg(QString::fromLatin1(kEnding));
}

QString openTitle(Side side)
{
    return side == Side::Left ? FileCommands::tr("Open the left model")
                              : FileCommands::tr("Open the right model");
}

}  // namespace

FileCommands::FileCommands(control::Explorer& explorer, SessionKeeper& keeper, MessageBar& messages,
                           QWidget* window)
    : QObject(window), m_explorer(explorer), m_keeper(keeper), m_messages(messages), m_window(window),
      m_question([this] { return askToSave(); }), m_clashQuestion([this] { return askAboutClash(); })
{
    connect(&keeper, &SessionKeeper::modelChanged, this, [this](const QString& title) {
        m_messages.show({control::Message::Kind::Warning,
                         tr("%1 is not the model this session was saved with: its files have changed. Check "
                            "that heads and figures still mean the same.")
                             .arg(title),
                         {}});
    });
    connect(&keeper, &SessionKeeper::autosaveFailed, this, [this](const QString& message) {
        m_messages.show({control::Message::Kind::Warning, message, {}});
    });
}

FileCommands::Answer FileCommands::askToSave()
{
    const auto button = QMessageBox::question(
        m_window, tr("Unsaved changes"), tr("Save the changes of this session before it is closed?"),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    if (button == QMessageBox::Save)
        return Answer::Save;
    return button == QMessageBox::Discard ? Answer::Discard : Answer::Cancel;
}

FileCommands::Clash FileCommands::askAboutClash()
{
    QMessageBox box(QMessageBox::Warning, tr("Changed elsewhere"),
                    tr("%1 was changed by another window or program since it was opened here. Save this "
                       "session under another name to keep both.")
                        .arg(toName(m_keeper.file())),
                    QMessageBox::Cancel, m_window);
    const QAbstractButton* const other = box.addButton(tr("Save &as…"), QMessageBox::AcceptRole);
    const QAbstractButton* const overwrite = box.addButton(tr("&Overwrite"), QMessageBox::DestructiveRole);
    box.exec();
    if (box.clickedButton() == other)
        return Clash::SaveAs;
    return box.clickedButton() == overwrite ? Clash::Overwrite : Clash::Cancel;
}

bool FileCommands::mayLeave()
{
    if (!m_keeper.isModified())
        return true;
    switch (m_question()) {
    case Answer::Save: return save();
    case Answer::Discard: return true;
    case Answer::Cancel: return false;
    }
    return false;
}

bool FileCommands::save()
{
    if (m_keeper.file().empty())
        return saveAs();
    if (m_keeper.wasWrittenElsewhere()) {
        switch (m_clashQuestion()) {
        case Clash::Overwrite: break;
        case Clash::SaveAs: return saveAs();
        case Clash::Cancel: return false;
        }
    }
    return saveTo(m_keeper.file());
}

bool FileCommands::saveAs()
{
    const QString suggested =
        m_keeper.file().empty() ? tr("heads") + QString::fromLatin1(kEnding) : toName(m_keeper.file());
    QString name = QFileDialog::getSaveFileName(m_window, tr("Save session"), suggested, sessionFilter());
    if (name.isEmpty())
        return false;
    if (!name.endsWith(QString::fromLatin1(kEnding)))
        name += QString::fromLatin1(kEnding);
    return saveTo(toPath(name));
}

bool FileCommands::saveTo(const std::filesystem::path& file)
{
    const Result<std::filesystem::path> saved = m_keeper.saveTo(file);
    if (!saved) {
        sayFailure(saved.error());
        return false;
    }
    m_messages.show({control::Message::Kind::Note, tr("Saved %1.").arg(toName(file)), {}});
    return true;
}

void FileCommands::startNew(const control::Document& document)
{
    m_keeper.startNew(document);
}

void FileCommands::askForSession()
{
    if (!mayLeave())
        return;
    const QString name = QFileDialog::getOpenFileName(m_window, tr("Open session"), {}, sessionFilter());
    if (!name.isEmpty())
        openSession(toPath(name));
}

void FileCommands::openSession(const std::filesystem::path& file)
{
    const Result<control::Session> session = m_keeper.open(file);
    if (!session)
        sayFailure(session.error());
    else
        Q_EMIT viewRestored(session->view);
}

void FileCommands::askForModelFolder(Side side)
{
    const QString folder =
        QFileDialog::getExistingDirectory(m_window, openTitle(side), m_explorer.document().side(side).model);
    if (!folder.isEmpty())
        m_explorer.openModel(side, folder);
}

void FileCommands::askForModelFile(Side side)
{
    const QString file =
        QFileDialog::getOpenFileName(m_window, openTitle(side), m_explorer.document().side(side).model,
                                     tr("Models (*.safetensors *.json *.pth *.pt *.bin);;All files (*)"));
    if (!file.isEmpty())
        m_explorer.openModel(side, file);
}

void FileCommands::askForMaps(Side side)
{
    const QString file = QFileDialog::getOpenFileName(
        m_window,
        side == Side::Left ? tr("Open attention maps on the left") : tr("Open attention maps on the right"),
        m_explorer.document().side(side).model, tr("Attention maps (*.npz *.safetensors);;All files (*)"));
    if (!file.isEmpty())
        m_explorer.openModel(side, file);
}

void FileCommands::askForModelName(Side side)
{
    const QString name = QInputDialog::getText(
        m_window, openTitle(side),
        tr("A model of the Hugging Face download cache (org/name), demo:dense or demo:sparse:"),
        QLineEdit::Normal, m_explorer.document().side(side).model);
    if (!name.trimmed().isEmpty())
        m_explorer.openModel(side, name.trimmed());
}

void FileCommands::askForPrompts()
{
    const QString file =
        QFileDialog::getOpenFileName(m_window, tr("Open prompts"), {}, panels::promptFilter());
    if (!file.isEmpty())
        openPath(m_explorer.activeSide(), file);
}

void FileCommands::openPath(Side side, const QString& path)
{
    if (panels::isPromptFile(path)) {
        panels::openPromptSet(m_explorer, path);
        Q_EMIT promptsOpened();
    } else if (!path.endsWith(QString::fromLatin1(kEnding)))
        m_explorer.openModel(side, path);
    else if (mayLeave())
        openSession(toPath(path));
}

void FileCommands::askForPicture()
{
    askWhereTo(tr("Export picture as shown"), tr("attention-heads.pdf"), figures::formatFilters());
}

void FileCommands::askForPage()
{
    askWhereTo(tr("Share as a page"), tr("attention-heads.html"), figures::pageFilter());
}

void FileCommands::askWhereTo(const QString& title, const QString& name, const QString& filters)
{
    if (!m_explorer.state(Side::Left).run && !m_explorer.state(Side::Right).run) {
        m_messages.show({control::Message::Kind::Warning,
                         tr("There is no picture to export yet; open a model and type a prompt."),
                         {}});
        return;
    }
    if (const QString problem = control::asShownProblem(m_explorer.document()); !problem.isEmpty())
        return m_messages.show({control::Message::Kind::Warning, problem, {}});
    QString filter;
    const QString chosen = QFileDialog::getSaveFileName(m_window, title, name, filters, &filter);
    if (!chosen.isEmpty())
        exportPicture(toPath(composer::withEnding(chosen, filter)));
}

void FileCommands::exportPicture(const std::filesystem::path& file)
{
    control::Document shown = m_explorer.document();
    shown.figure = control::figureAsShown(shown, control::FigurePreset::HeadGrid, m_explorer.shownGrids());
    const control::FigureRequest request = control::figureRequest(
        shown, {m_explorer.state(Side::Left).model, m_explorer.state(Side::Right).model});
    m_explorer.figures().useOther<std::filesystem::path>(
        request,
        [shown, file](const control::MadeFigure& made) {
            return control::writeMadeFigure(made, shown, file);
        },
        [this, file](const Result<std::filesystem::path>& written) {
            if (written)
                m_messages.show({control::Message::Kind::Note, tr("Exported %1.").arg(toName(file)), {}});
            else
                sayFailure(written.error());
        });
}

void FileCommands::offerRecovery(const std::filesystem::path& folder)
{
    m_leftBehind = control::findLeftBehind(folder);
    Q_EMIT recoveryChanged();
    if (!canRecover())
        return;
    const std::filesystem::path& file = m_leftBehind.front().userFile;
    const QString what = file.empty() ? tr("a session that was never saved") : toName(file);
    m_messages.show(
        {control::Message::Kind::Warning,
         tr("HeadScope ended without saving %1; the changes were kept and can be restored.").arg(what),
         {}},
        tr("Restore"), [this] { recover(); });
}

void FileCommands::recover()
{
    if (!canRecover() || !mayLeave())
        return;
    const control::RecoveredSession newest = m_leftBehind.front();
    m_leftBehind.erase(m_leftBehind.begin());
    m_messages.dismiss();
    m_keeper.recover(newest);
    Q_EMIT viewRestored(newest.session.view);
    Q_EMIT recoveryChanged();
}

void FileCommands::sayFailure(const Error& error)
{
    m_messages.show({control::Message::Kind::Error, QString::fromStdString(error.message),
                     QString::fromStdString(error.detail)});
}

}  // namespace hs::window
