#pragma once

#include <QPlainTextEdit>

namespace hs::panels {

/// Where the prompt is typed: one line that grows to three, then scrolls. Return submits, Shift-Return starts
/// a line, Up in the first line and Down in the last step through the history.
class PromptEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit PromptEdit(QWidget* parent = nullptr);

    /// Replaces the text without reporting it as typed; the cursor goes to its end.
    void showPrompt(const QString& prompt);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void typed();
    void submitted();
    void left();  // the focus went elsewhere, perhaps in the middle of a document change
    void olderRequested();
    void newerRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool canInsertFromMimeData(const QMimeData* source) const override;

private:
    int heightOf(int lines) const;
    void fitHeight();
    bool isAtEdge(QTextCursor::MoveOperation move) const;

    bool m_isShowing = false;
};

}  // namespace hs::panels
