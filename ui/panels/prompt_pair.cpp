#include "panels/prompt_pair.h"

#include "panels/panel_style.h"
#include "panels/panel_widgets.h"
#include "panels/shown_tokens.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>
#include <optional>

namespace hs {
namespace {

constexpr int kPauseMilliseconds = 250;

struct Counts {
    std::size_t clean = 0;
    std::size_t corrupted = 0;
};

std::optional<Counts> countsOf(const Explorer& explorer, Side side)
{
    const auto& model = explorer.state(side).model;
    if (!model || !model->tokenizer)
        return std::nullopt;
    const Document& document = explorer.document();
    const auto clean = model->tokenizer->encode(document.prompt.toStdString(), false);
    const auto corrupted = model->tokenizer->encode(document.corrupted.toStdString(), false);
    if (!clean || !corrupted)
        return std::nullopt;
    return Counts{clean->ids.size(), corrupted->ids.size()};
}

}  // namespace

PromptPair::PromptPair(Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_clean(newQuietLabel(this, QStringLiteral("cleanPrompt"))),
      m_corrupted(new QLineEdit(this)), m_counts(newQuietLabel(this, QStringLiteral("promptCounts")))
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMilliseconds);
    compose();
    connect(&m_pause, &QTimer::timeout, this, &PromptPair::commit);
    connect(m_corrupted, &QLineEdit::textEdited, this, [this] { m_pause.start(); });
    connect(m_corrupted, &QLineEdit::editingFinished, this, [this] {
        commit();
        ++m_typing;
    });
    connect(&m_explorer, &Explorer::documentChanged, this, &PromptPair::showDocument);
    connect(&m_explorer, &Explorer::stateChanged, this, &PromptPair::showCounts);
    showDocument();
}

PromptPair::~PromptPair()
{
    // The line loses the focus first when it goes, and would hand over what is half typed.
    m_corrupted->disconnect(this);
}

void PromptPair::compose()
{
    m_corrupted->setObjectName(QStringLiteral("corruptedEdit"));
    m_corrupted->setAccessibleName(tr("Corrupted prompt"));
    m_corrupted->setPlaceholderText(tr("As many tokens, without what the answer hangs on"));
    m_clean->setWordWrap(false);
    m_clean->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_counts->setWordWrap(false);
    auto* const clean = new QLabel(tr("Clean"), this);
    auto* const corrupted = new QLabel(tr("Corrupted"), this);
    corrupted->setBuddy(m_corrupted);
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(clean);
    row->addWidget(m_clean, 2);
    row->addWidget(corrupted);
    row->addWidget(m_corrupted, 3);
    row->addWidget(m_counts);
}

void PromptPair::commit()
{
    m_pause.stop();
    const QString text = m_corrupted->text();
    m_shown = text;
    m_explorer.edit(
        tr("Change corrupted prompt"), [&text](Document& document) { document.corrupted = text; },
        QStringLiteral("corrupted-%1").arg(m_typing));
}

/// What is being typed stays, unless the document itself has changed elsewhere.
void PromptPair::showDocument()
{
    const QString& text = m_explorer.document().corrupted;
    if (text != m_shown) {
        m_shown = text;
        if (m_corrupted->text() != text) {
            m_pause.stop();
            m_corrupted->setText(text);
            m_corrupted->setCursorPosition(0);
        }
    }
    showClean();
    showCounts();
}

void PromptPair::showClean()
{
    const QString text = m_explorer.document().prompt.simplified();
    m_clean->setText(fontMetrics().elidedText(text, Qt::ElideMiddle, m_clean->width()));
    m_clean->setToolTip(text);
}

void PromptPair::showCounts()
{
    QString same, different;
    for (const Side side : kSides)
        if (const auto counts = countsOf(m_explorer, side); counts && counts->corrupted > 0) {
            if (counts->clean == counts->corrupted)
                same = tr("%1 tokens each").arg(counts->clean);
            else
                different =
                    tr("%1 and %2 tokens: make them as many").arg(counts->clean).arg(counts->corrupted);
        }
    QPalette inks = palette();
    if (!different.isEmpty())
        inks.setColor(QPalette::PlaceholderText, markColour(palette()));
    m_counts->setPalette(inks);
    showText(*m_counts, different.isEmpty() ? same : different);
}

void PromptPair::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showClean();
}

void PromptPair::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showCounts();
    QWidget::changeEvent(event);
}

}  // namespace hs
