#pragma once

#include <QBoxLayout>
#include <QWidget>

namespace hs::panels {

/// Parts side by side, or stacked if the box is higher than wide.
class TurningBox : public QWidget {
public:
    explicit TurningBox(int gap, QWidget* parent = nullptr)
        : QWidget(parent), m_parts(new QBoxLayout(QBoxLayout::LeftToRight, this))
    {
        m_parts->setContentsMargins({});
        m_parts->setSpacing(gap);
    }

    void addPart(QWidget* part, int stretch = 1) { m_parts->addWidget(part, stretch); }
    /// A part with its title above it.
    void addPart(QWidget* title, QWidget* part)
    {
        auto* const both = new QWidget(this);
        auto* const column = new QVBoxLayout(both);
        column->setContentsMargins({});
        column->setSpacing(2);
        column->addWidget(title);
        column->addWidget(part, 1);
        addPart(both);
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        m_parts->setDirection(width() >= height() ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
        QWidget::resizeEvent(event);
    }

private:
    QBoxLayout* m_parts;
};

}  // namespace hs::panels
