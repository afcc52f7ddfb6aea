#include "panels/prompt/corrupted_row.h"

#include "panels/prompt/prompt_edit.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/shown_tokens.h"
#include "text/chat.h"

#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kLongestCounted = 20'000;  // characters; longer prompts are not counted here

/// None if it cannot be determined at once.
std::optional<std::size_t> countTokens(const control::SideRun& run, const QString& text)
{
    const auto& tokenizer = run.request.model->tokenizer;
    if (!tokenizer || text.size() > kLongestCounted)
        return std::nullopt;
    const auto encoding = tokenizer->encode(text.toStdString(), false);
    return encoding ? std::optional(encoding->ids.size()) : std::nullopt;
}

/// What the corrupted text stands for: the prompt, or the user's last message in a chat.
QString cleanText(const control::Document& document)
{
    if (!document.isChat)
        return document.prompt;
    Result<text::Chat> chat = text::parseChat(document.prompt.toStdString(), "The chat");
    const text::ChatMessage* const last = chat ? text::lastOfUser(*chat) : nullptr;
    return last ? QString::fromStdString(last->content) : QString();
}

}  // namespace

CorruptedRow::CorruptedRow(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_edit(new PromptEdit(this)), m_count(new QLabel(this))
{
    setObjectName(QStringLiteral("corruptedRow"));
    auto* const label = new QLabel(tr("Corrupted"), this);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setBuddy(m_edit);
    m_edit->setObjectName(QStringLiteral("corruptedEdit"));
    m_edit->setAccessibleName(tr("Corrupted prompt"));
    m_edit->setPlaceholderText(
        tr("Type the prompt again with the word changed that the answer hangs on: as many tokens"));
    m_edit->setToolTip(tr("Patched heads have the outputs they have on this prompt, and a circuit is what "
                          "carries the difference between the two.\nIt needs as many tokens as the prompt "
                          "and should end in the same one."));
    m_count->setObjectName(QStringLiteral("corruptedCount"));
    m_count->setTextFormat(Qt::PlainText);
    auto* const line = new QHBoxLayout(this);
    line->setContentsMargins(0, 2, 0, 0);
    line->setSpacing(8);
    line->addWidget(label);
    line->addWidget(m_edit, 1);
    line->addWidget(m_count);
    setFocusProxy(m_edit);

    m_pause.setSingleShot(true);
    connect(m_edit, &PromptEdit::typed, this, [this] {
        if (m_explorer.preferences().runsAsYouType)
            m_pause.start(m_explorer.typingPause());
    });
    connect(&m_pause, &QTimer::timeout, this, &CorruptedRow::commit);
    connect(m_edit, &PromptEdit::submitted, this, &CorruptedRow::finish);
    connect(m_edit, &PromptEdit::left, this, &CorruptedRow::finish, Qt::QueuedConnection);
    connect(&m_explorer, &control::Explorer::documentChanged, this, &CorruptedRow::showDocument);
    connect(&m_explorer, &control::Explorer::stateChanged, this, &CorruptedRow::showCount);
    showDocument();
}

bool CorruptedRow::isNeeded() const
{
    const control::Document& document = m_explorer.document();
    const auto isPatched = [](const auto& entry) { return entry.second.isPatched(); };
    return !document.corrupted.isEmpty() || document.tool.kind == engine::HeadAblation::Kind::Replace ||
           std::any_of(kSides.begin(), kSides.end(), [&](Side side) {
               const auto& ablations = document.side(side).ablations;
               return std::any_of(ablations.begin(), ablations.end(), isPatched);
           });
}

bool CorruptedRow::isTyping() const
{
    return m_edit->hasFocus();
}

void CorruptedRow::focusPrompt()
{
    m_edit->setFocus(Qt::OtherFocusReason);
    m_edit->selectAll();
}

/// Keeps what is being typed, unless the document's own text has changed elsewhere.
void CorruptedRow::showDocument()
{
    const QString& corrupted = m_explorer.document().corrupted;
    if (corrupted != m_shown) {
        m_shown = corrupted;
        if (m_edit->toPlainText() != m_shown) {
            m_pause.stop();
            m_edit->showPrompt(m_shown);
        }
    }
    showCount();
}

void CorruptedRow::showCount()
{
    const control::Document& document = m_explorer.document();
    const auto run = tokenRun(m_explorer);
    const auto corrupted = run && !document.corrupted.isEmpty() ? countTokens(*run, document.corrupted)
                                                                : std::optional<std::size_t>();
    const auto clean =
        corrupted && document.tokenIds.isEmpty() ? countTokens(*run, cleanText(document)) : std::nullopt;
    const bool isWrong = clean && corrupted != clean;
    m_count->setText(!corrupted ? QString()
                     : isWrong  ? tr("%1 tokens, the prompt has %2").arg(*corrupted).arg(*clean)
                                : tr("%1 tokens").arg(*corrupted));
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, isWrong ? markColour(palette()) : quietInk(palette()));
    m_count->setPalette(colours);
}

void CorruptedRow::commit()
{
    m_pause.stop();
    const QString corrupted = m_edit->toPlainText();
    m_shown = corrupted;
    m_explorer.edit(
        tr("Change corrupted prompt"), [&](control::Document& document) { document.corrupted = corrupted; },
        QStringLiteral("corrupted-%1").arg(m_typing));
}

void CorruptedRow::finish()
{
    commit();
    ++m_typing;
}

}  // namespace hs::panels
