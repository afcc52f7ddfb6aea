#pragma once

#include "control/explorer/explorer.h"

#include <QTimer>
#include <QWidget>

class QLabel;

namespace hs::panels {

class PromptEdit;

/// The second prompt, in which the answer is another one: what patched heads' outputs come from and
/// circuits are measured against. Says when it has not as many tokens as the prompt.
class CorruptedRow : public QWidget {
    Q_OBJECT

public:
    explicit CorruptedRow(control::Explorer& explorer, QWidget* parent = nullptr);

    /// Whether the document has such a prompt, or patches heads and so needs one.
    bool isNeeded() const;
    bool isTyping() const;
    void focusPrompt();

private:
    void showDocument();
    void showCount();
    void commit();
    void finish();

    control::Explorer& m_explorer;
    PromptEdit* m_edit;
    QLabel* m_count;
    QTimer m_pause;
    QString m_shown;   // the document's, as last seen
    int m_typing = 0;  // separates the undo steps of typing
};

}  // namespace hs::panels
