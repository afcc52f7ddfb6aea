#pragma once

#include "control/explorer/explorer.h"
#include "panels/prompt/examples.h"
#include "panels/prompt/prompt_history.h"

#include <QTimer>
#include <QWidget>

class QBoxLayout;
class QLabel;
class QMenu;
class QPushButton;

namespace hs::panels {

class BlockMenu;
class DialRow;
class ChatForm;
class CorruptedRow;
class ExampleMenu;
class GenerationRow;
class PromptEdit;
class PromptLine;
class TokenStrip;

/// The prompt in one line or as a chat, its tokens and what comes next in another, the right side's own prompt and the corrupted one if they are used, and
/// what the models write behind it if they were asked to: typing runs after a short pause, or only on Return, depending on the preferences.
class PromptPanel : public QWidget {
    Q_OBJECT

public:
    explicit PromptPanel(control::Explorer& explorer, QWidget* parent = nullptr);

    /// Remembers prompts beyond this window; the settings must outlive the panel.
    void keepHistoryIn(QSettings& settings) { m_history.keepIn(settings); }
    /// Focuses the line and selects all of it.
    void focusPrompt();

Q_SIGNALS:
    void predictionsRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void compose();
    QWidget* newButtons();
    void connectParts();

    void showDocument();
    void showCorrupted();
    void showGeneration();
    void showNote();
    void showStrips(bool hasAxes);
    /// Greys what there is no engine for.
    void showState();
    void commit();  // makes the typed text the document's prompt
    void run();
    void runText();
    void tookExample(const Example& example);
    void choosePrompt(const QString& prompt);
    void walkHistory(int step);
    void fillHistory();

    control::Explorer& m_explorer;
    PromptHistory m_history;
    QBoxLayout* m_row = nullptr;
    PromptEdit* m_edit = nullptr;
    QWidget* m_buttons = nullptr;
    ExampleMenu* m_examples = nullptr;
    QMenu* m_recent = nullptr;
    ChatForm* m_chat = nullptr;  // stands for the line while the prompt is a chat
    QPushButton* m_example = nullptr;
    QPushButton* m_older = nullptr;
    QPushButton* m_cut = nullptr;
    BlockMenu* m_blocks = nullptr;
    QPushButton* m_bos = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_form = nullptr;
    QPushButton* m_corruption = nullptr;
    QPushButton* m_two = nullptr;
    PromptLine* m_other = nullptr;  // of the right side, while it has its own
    DialRow* m_dials = nullptr;
    CorruptedRow* m_corrupted = nullptr;
    QPushButton* m_generate = nullptr;
    GenerationRow* m_generation = nullptr;
    TokenStrip* m_strip = nullptr;
    TokenStrip* m_second = nullptr;       // hidden while the other strip has all tokens
    std::array<QLabel*, 2> m_names = {};  // of the strips, hidden likewise
    QLabel* m_note = nullptr;
    QTimer m_pause;
    QString m_shown;           // the document's prompt as last seen
    int m_typing = 0;          // separates the undo steps of typing
    int m_walked = -1;         // place in the history; -1: what was typed
    QString m_draft;           // what was typed before stepping through the history
    bool m_wasNeeded = false;  // whether the corrupted prompt was, when last checked
};

}  // namespace hs::panels
