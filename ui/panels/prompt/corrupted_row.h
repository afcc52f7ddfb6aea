#pragma once

#include "control/explorer/explorer.h"

#include <QTimer>
#include <QWidget>

class QLabel;

namespace hs::panels {

class PromptEdit;

/// The second prompt, which has another answer: patched heads take their outputs from it, and circuits are
/// measured against it. Points out if its number of tokens differs from the prompt's.
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
