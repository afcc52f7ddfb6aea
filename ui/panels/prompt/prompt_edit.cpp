#include "panels/prompt/prompt_edit.h"

#include <QAbstractTextDocumentLayout>
#include <QKeyEvent>
#include <QMimeData>
#include <QTextDocument>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kMostLines = 3;

}  // namespace

PromptEdit::PromptEdit(QWidget* parent) : QPlainTextEdit(parent)
{
    setObjectName(QStringLiteral("promptEdit"));
    setTabChangesFocus(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
            &PromptEdit::fitHeight);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_isShowing)
            Q_EMIT typed();
    });
    fitHeight();
}

void PromptEdit::showPrompt(const QString& prompt)
{
    m_isShowing = true;
    setPlainText(prompt);
    moveCursor(QTextCursor::End);
    m_isShowing = false;
}

int PromptEdit::heightOf(int lines) const
{
    return lines * fontMetrics().lineSpacing() +
           2 * (frameWidth() + static_cast<int>(document()->documentMargin()));
}

QSize PromptEdit::sizeHint() const
{
    return {320, height()};
}

QSize PromptEdit::minimumSizeHint() const
{
    return {120, heightOf(1)};
}

void PromptEdit::fitHeight()
{
    // A plain text document counts its height in lines.
    const int lines = static_cast<int>(document()->size().height());
    setVerticalScrollBarPolicy(lines > kMostLines ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    setFixedHeight(heightOf(std::clamp(lines, 1, kMostLines)));
}

void PromptEdit::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    fitHeight();
}

void PromptEdit::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitHeight();
}

void PromptEdit::focusOutEvent(QFocusEvent* event)
{
    QPlainTextEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        Q_EMIT left();
}

/// Files dropped on the window are models and sessions, not text.
bool PromptEdit::canInsertFromMimeData(const QMimeData* source) const
{
    return source->hasText() && !source->hasUrls();
}

bool PromptEdit::isAtEdge(QTextCursor::MoveOperation move) const
{
    QTextCursor cursor = textCursor();
    return !cursor.movePosition(move);
}

void PromptEdit::keyPressEvent(QKeyEvent* event)
{
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (isReturn && !event->modifiers().testFlag(Qt::ShiftModifier))
        Q_EMIT submitted();
    else if (event->key() == Qt::Key_Up && isPlain && isAtEdge(QTextCursor::Up))
        Q_EMIT olderRequested();
    else if (event->key() == Qt::Key_Down && isPlain && isAtEdge(QTextCursor::Down))
        Q_EMIT newerRequested();
    else
        QPlainTextEdit::keyPressEvent(event);
}

}  // namespace hs::panels
