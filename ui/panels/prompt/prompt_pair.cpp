#include "panels/prompt/prompt_pair.h"

#include "panels/prompt/corrupted_row.h"
#include "panels/widgets/panel_widgets.h"
#include "text/chat.h"

#include <QHBoxLayout>
#include <QLabel>

namespace hs::panels {
namespace {

constexpr int kBothFrom = 720;  // width from which there is room for both

}  // namespace

PromptPair::PromptPair(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_name(newQuietLabel(this, {})), m_clean(new QLabel(this))
{
    m_clean->setObjectName(QStringLiteral("cleanPrompt"));
    m_clean->setTextFormat(Qt::PlainText);
    m_clean->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* const corrupted = new CorruptedRow(explorer, this);
    corrupted->layout()->setContentsMargins({});
    m_name->setWordWrap(false);
    m_name->setText(tr("Clean"));
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(m_name);
    row->addWidget(m_clean, 2);
    row->addWidget(corrupted, 3);
    connect(&m_explorer, &control::Explorer::documentChanged, this, &PromptPair::showClean);
    showClean();
}

void PromptPair::showClean()
{
    const control::Document& document = m_explorer.document();
    const QString text = QString::fromStdString(text::promptWords(document.prompt().text.toStdString(),
                                                                  document.prompt().isChat))
                             .simplified();
    m_clean->setText(fontMetrics().elidedText(text, Qt::ElideMiddle, m_clean->width()));
    m_clean->setToolTip(text);
}

void PromptPair::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_name->setVisible(width() >= kBothFrom);
    m_clean->setVisible(width() >= kBothFrom);
    showClean();
}

}  // namespace hs::panels
