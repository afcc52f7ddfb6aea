#include "panels/prompt/prompt_line.h"

#include "panels/prompt/prompt_edit.h"

#include <QHBoxLayout>
#include <QLabel>

namespace hs::panels {

PromptLine::PromptLine(control::Explorer& explorer, const Words& words, Read read, Write write,
                       QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_id(words.id), m_step(words.step), m_read(std::move(read)),
      m_write(std::move(write)), m_edit(new PromptEdit(this)), m_row(new QHBoxLayout(this))
{
    setObjectName(m_id + QStringLiteral("Row"));
    auto* const label = new QLabel(words.label, this);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setBuddy(m_edit);
    m_edit->setObjectName(m_id + QStringLiteral("Edit"));
    m_edit->setAccessibleName(words.name);
    m_edit->setPlaceholderText(words.hint);
    m_edit->setToolTip(words.toolTip);
    m_row->setContentsMargins(0, 2, 0, 0);
    m_row->setSpacing(8);
    m_row->addWidget(label);
    m_row->addWidget(m_edit, 1);
    setFocusProxy(m_edit);

    m_pause.setSingleShot(true);
    connect(m_edit, &PromptEdit::typed, this, [this] {
        if (m_explorer.preferences().runsAsYouType)
            m_pause.start(m_explorer.typingPause());
    });
    connect(&m_pause, &QTimer::timeout, this, &PromptLine::commit);
    connect(m_edit, &PromptEdit::submitted, this, &PromptLine::finish);
    connect(m_edit, &PromptEdit::left, this, &PromptLine::finish, Qt::QueuedConnection);
    connect(&m_explorer, &control::Explorer::documentChanged, this, &PromptLine::showDocument);
    showDocument();
}

bool PromptLine::isTyping() const
{
    return m_edit->hasFocus();
}

void PromptLine::focusPrompt()
{
    m_edit->setFocus(Qt::OtherFocusReason);
    m_edit->selectAll();
}

/// Keeps what is being typed, unless the document's own text has changed elsewhere.
void PromptLine::showDocument()
{
    const QString text = m_read(m_explorer.document());
    if (text == m_shown)
        return;
    m_shown = text;
    if (m_edit->toPlainText() != m_shown) {
        m_pause.stop();
        m_edit->showPrompt(m_shown);
    }
}

void PromptLine::commit()
{
    m_pause.stop();
    const QString text = m_edit->toPlainText();
    m_shown = text;
    m_explorer.edit(
        m_step, [&](control::Document& document) { m_write(document, text); },
        QStringLiteral("%1-%2").arg(m_id).arg(m_typing));
}

void PromptLine::finish()
{
    commit();
    ++m_typing;
}

}  // namespace hs::panels
