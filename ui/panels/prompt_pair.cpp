#include "panels/prompt_pair.h"

#include "panels/corrupted_row.h"
#include "panels/panel_widgets.h"

#include <QHBoxLayout>
#include <QLabel>

namespace hs {

PromptPair::PromptPair(Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_clean(new QLabel(this))
{
    m_clean->setObjectName(QStringLiteral("cleanPrompt"));
    m_clean->setTextFormat(Qt::PlainText);
    m_clean->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* const corrupted = new CorruptedRow(explorer, this);
    corrupted->layout()->setContentsMargins({});
    QLabel* const clean = newQuietLabel(this, {});
    clean->setWordWrap(false);
    clean->setText(tr("Clean"));
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(clean);
    row->addWidget(m_clean, 2);
    row->addWidget(corrupted, 3);
    connect(&m_explorer, &Explorer::documentChanged, this, &PromptPair::showClean);
    showClean();
}

void PromptPair::showClean()
{
    const QString text = m_explorer.document().prompt.simplified();
    m_clean->setText(fontMetrics().elidedText(text, Qt::ElideMiddle, m_clean->width()));
    m_clean->setToolTip(text);
}

void PromptPair::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showClean();
}

}  // namespace hs
