#include "grid/head_grid.h"

#include "grid/elided_label.h"

#include <QBoxLayout>

#include <algorithm>

namespace hs::grid {
namespace {

constexpr int kTitleSpace = 2;

}  // namespace

HeadGrid::HeadGrid(QWidget* parent)
    : QWidget(parent), m_title(new ElidedLabel(this)), m_caption(new ElidedLabel(this)),
      m_canvas(new Canvas(this))
{
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
    words->addWidget(m_title);
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

int HeadGrid::titleHeight() const
{
    return std::max(m_title->sizeHint().height(), m_caption->sizeHint().height()) + kTitleSpace;
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
