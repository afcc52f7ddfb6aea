#include "grid/head_grid.h"

#include "grid/elided_label.h"

#include <QVBoxLayout>

namespace hs::grid {

HeadGrid::HeadGrid(QWidget* parent)
    : QWidget(parent), m_title(new ElidedLabel(this)), m_caption(new ElidedLabel(this)),
      m_canvas(new Canvas(this))
{
    QFont bold = font();
    bold.setBold(true);
    bold.setPointSizeF(font().pointSizeF() * 1.2);
    m_title->setFont(bold);
    m_title->setObjectName(QStringLiteral("gridTitle"));
    m_caption->setObjectName(QStringLiteral("gridCaption"));
    m_caption->setRole(QPalette::PlaceholderText);
    setFocusProxy(m_canvas);

    // Titles align with the first tile's edge.
    const int margin = static_cast<int>(kGridMargin);
    auto* words = new QVBoxLayout;
    words->setContentsMargins(margin, 0, margin, 0);
    words->setSpacing(0);
    words->addWidget(m_title);
    words->addWidget(m_caption);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
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

QString HeadGrid::caption() const
{
    return m_caption->text();
}

void HeadGrid::showCaption()
{
    QString text = m_canvas->content().caption;
    if (const int pooled = m_canvas->pooling(); pooled > 1)
        text += tr(" · pooled by maximum: 1 px = %1 × %1 cells").arg(pooled);
    m_caption->setText(text);
}

}  // namespace hs::grid
