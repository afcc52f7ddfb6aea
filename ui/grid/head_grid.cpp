#include "grid/head_grid.h"

#include "grid/elided_label.h"

#include <QBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace hs::grid {
namespace {

constexpr int kTitleSpace = 2;

}  // namespace

HeadGrid::HeadGrid(QWidget* parent)
    : QWidget(parent), m_title(new ElidedLabel(this)), m_chooser(new QToolButton(this)),
      m_caption(new ElidedLabel(this)), m_canvas(new Canvas(this))
{
    m_chooser->setObjectName(QStringLiteral("blockChooser"));
    m_chooser->setAccessibleName(tr("Other maps of this file"));
    m_chooser->setToolTip(tr("Other maps of this file"));
    m_chooser->setText(QStringLiteral("▾"));
    m_chooser->setAutoRaise(true);
    m_chooser->setPopupMode(QToolButton::InstantPopup);
    m_chooser->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    m_chooser->setMenu(new QMenu(m_chooser));
    m_chooser->hide();
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setObjectName(QStringLiteral("gridTitle"));
    m_caption->setObjectName(QStringLiteral("gridCaption"));
    m_caption->setRole(QPalette::PlaceholderText);
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    setFocusProxy(m_canvas);

    // Titles align with the first tile's edge.
    const int margin = static_cast<int>(kGridMargin);
    auto* words = new QHBoxLayout;
    words->setContentsMargins(margin, 0, margin, 0);
    words->setSpacing(3 * margin);
    auto* const name = new QHBoxLayout;
    name->setSpacing(0);
    name->addWidget(m_title);
    name->addWidget(m_chooser);
    words->addLayout(name);
    words->addWidget(m_caption, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kTitleSpace);
    layout->addLayout(words);
    layout->addWidget(m_canvas, 1);
    connect(m_canvas, &Canvas::zoomChanged, this, &HeadGrid::showCaption);
    connect(m_canvas, &Canvas::resized, this, &HeadGrid::showCaption);
}

void HeadGrid::setContent(Content content)
{
    m_canvas->setContent(std::move(content));
    m_title->setText(m_canvas->content().title);
    showCaption();
}

void HeadGrid::setBlocks(const std::vector<BlockChoice>& blocks)
{
    if (blocks == m_blocks)
        return;
    m_blocks = blocks;
    QMenu& menu = *m_chooser->menu();
    menu.clear();
    bool hasBlocks = false;
    for (const BlockChoice& block : blocks) {
        if (block.isItem && std::exchange(hasBlocks, false))
            menu.addSeparator();
        hasBlocks = hasBlocks || !block.isItem;
        QAction* const action = menu.addAction(QString(block.name).replace(u'&', QStringLiteral("&&")), this,
                                               [this, block] { Q_EMIT blockChosen(block.source); });
        action->setCheckable(true);
        action->setChecked(block.isShown);
    }
    m_chooser->setVisible(!blocks.empty());
}

int HeadGrid::titleHeight() const
{
    const int chooser = m_blocks.empty() ? 0 : m_chooser->sizeHint().height();
    return std::max({m_title->sizeHint().height(), m_caption->sizeHint().height(), chooser}) + kTitleSpace;
}

QString HeadGrid::caption() const
{
    return m_caption->text();
}

void HeadGrid::showCaption()
{
    QString text = m_canvas->content().caption;
    if (const QSize pooled = m_canvas->pooling(); pooled != QSize(1, 1))
        text += tr(" · pooled by maximum: 1 px = %1 × %2 cells").arg(pooled.height()).arg(pooled.width());
    m_caption->setText(text);
}

}  // namespace hs::grid
