#include "start/tour_card.h"

#include "panels/widgets/accent_button.h"
#include "panels/widgets/panel_widgets.h"

#include <QAccessible>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace hs::start {
namespace {

constexpr int kArrow = 9;     // of the room around the card, which holds arrow and shadow
constexpr int kLetters = 46;  // in a line of the card
constexpr double kRound = 8;
constexpr double kSquarish = 1.2;

/// A frame around what the card speaks of; clicks go through.
class Ring : public QWidget {
public:
    explicit Ring(QWidget* parent) : QWidget(parent)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setObjectName(QStringLiteral("tourRing"));
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2.5));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
    }
};

QPoint clampedInto(const QRect& room, QSize card, QPoint at)
{
    return {std::clamp(at.x(), room.left(), std::max(room.left(), room.right() + 1 - card.width())),
            std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() + 1 - card.height()))};
}

}  // namespace

CardPlace placeCard(QSize card, const QRect& anchor, const QRect& room)
{
    const QPoint middle = anchor.center() - QPoint(card.width() / 2, card.height() / 2);
    std::array<CardPlace, 4> places = {
        CardPlace{{{anchor.right() + 1, middle.y()}, card}, Qt::LeftEdge},
        CardPlace{{{anchor.left() - card.width(), middle.y()}, card}, Qt::RightEdge},
        CardPlace{{{middle.x(), anchor.bottom() + 1}, card}, Qt::TopEdge},
        CardPlace{{{middle.x(), anchor.top() - card.height()}, card}, Qt::BottomEdge},
    };
    // Neighbours of a tab or a menu stand beside it, so the card goes above or below.
    if (anchor.width() > kSquarish * anchor.height())
        std::ranges::rotate(places, places.begin() + 2);
    for (CardPlace place : places) {
        place.card.moveTopLeft(clampedInto(room, card, place.card.topLeft()));
        if (!anchor.isEmpty() && !place.card.intersects(anchor) && room.contains(place.card))
            return place;
    }
    return {{clampedInto(room, card, room.bottomRight()), card}, std::nullopt};
}

TourCard::TourCard(QWidget& window)
    : QWidget(&window), m_title(panels::newHeading(this, QStringLiteral("tourTitle"))),
      m_text(new QLabel(this)), m_count(panels::newQuietLabel(this, QStringLiteral("tourCount"))),
      m_back(new QPushButton(tr("&Back"))), m_next(new panels::AccentButton), m_ring(new Ring(&window))
{
    setObjectName(QStringLiteral("tourCard"));
    m_text->setObjectName(QStringLiteral("tourText"));
    m_text->setWordWrap(true);
    m_next->setObjectName(QStringLiteral("tourNext"));
    m_back->setObjectName(QStringLiteral("tourBack"));
    auto* const close = new QPushButton(tr("&Close"));
    close->setObjectName(QStringLiteral("tourClose"));
    close->setToolTip(tr("Ends the tour (Escape); Help ▸ Tour shows it again"));
    connect(close, &QPushButton::clicked, this, &TourCard::closeRequested);
    connect(m_back, &QPushButton::clicked, this, &TourCard::backRequested);
    connect(m_next, &QPushButton::clicked, this, &TourCard::nextRequested);
    m_count->setWordWrap(false);
    auto* const buttons = new QHBoxLayout;
    buttons->addWidget(m_count, 1);
    for (QPushButton* const button : {close, m_back, m_next}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    auto* const column = new QVBoxLayout(this);
    const int margin = kArrow + 12;
    column->setContentsMargins(margin, margin - 2, margin, margin - 2);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addLayout(buttons);
    hide();
}

void TourCard::showStep(const QString& title, const QString& text, int step, int count)
{
    m_step = step;
    m_steps = count;
    m_isDone = false;
    m_title->setText(title);
    m_text->setText(text);
    m_back->setEnabled(step > 0);
    m_next->setText(step + 1 < count ? tr("&Next") : tr("&Done"));
    showCount();
    setAccessibleName(tr("Tour, %1: %2").arg(m_count->text(), title));
    setAccessibleDescription(text);
    const int width = kLetters * fontMetrics().averageCharWidth() + 2 * (kArrow + 12);
    resize(width, layout()->heightForWidth(width));
    show();
    raise();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void TourCard::setDone(bool isDone)
{
    m_isDone = isDone;
    showCount();
}

void TourCard::showCount()
{
    const QString count = tr("step %1 of %2").arg(m_step + 1).arg(m_steps);
    m_count->setText(m_isDone ? QStringLiteral("✓ ") + count : count);
}

void TourCard::pointAt(const QRect& anchor)
{
    static constexpr int kRingRoom = 3;
    m_anchor = anchor.intersected(parentWidget()->rect());
    const CardPlace place = placeCard(size(), m_anchor.adjusted(-kRingRoom, -kRingRoom, kRingRoom, kRingRoom),
                                      parentWidget()->rect());
    m_edge = place.edge;
    setGeometry(place.card);
    m_ring->setGeometry(m_anchor.adjusted(-kRingRoom, -kRingRoom, kRingRoom, kRingRoom));
    m_ring->setVisible(isVisible() && m_edge.has_value());
    m_ring->raise();
    raise();
    update();
}

void TourCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF body = QRectF(rect()).adjusted(kArrow, kArrow, -kArrow, -kArrow);
    for (int spread = kArrow - 2; spread > 0; --spread) {  // a soft shadow
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(0, 0, 0, 7));
        painter.drawRoundedRect(body.adjusted(-spread, 2 - spread, spread, spread), kRound + spread,
                                kRound + spread);
    }
    QPainterPath shape;
    shape.addRoundedRect(body, kRound, kRound);
    const QPointF tip = m_anchor.center() - pos();
    const double x = std::clamp(tip.x(), body.left() + 2 * kArrow, body.right() - 2 * kArrow);
    const double y = std::clamp(tip.y(), body.top() + 2 * kArrow, body.bottom() - 2 * kArrow);
    QPolygonF arrow;
    if (m_edge == Qt::LeftEdge)
        arrow << QPointF(0, y) << QPointF(body.left() + 1, y - kArrow)
              << QPointF(body.left() + 1, y + kArrow);
    else if (m_edge == Qt::RightEdge)
        arrow << QPointF(width(), y) << QPointF(body.right() - 1, y - kArrow)
              << QPointF(body.right() - 1, y + kArrow);
    else if (m_edge == Qt::TopEdge)
        arrow << QPointF(x, 0) << QPointF(x - kArrow, body.top() + 1) << QPointF(x + kArrow, body.top() + 1);
    else if (m_edge == Qt::BottomEdge)
        arrow << QPointF(x, height()) << QPointF(x - kArrow, body.bottom() - 1)
              << QPointF(x + kArrow, body.bottom() - 1);
    QPainterPath pointer;
    pointer.addPolygon(arrow);
    pointer.closeSubpath();
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1.5));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawPath(shape.united(pointer));
}

void TourCard::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    pointAt(m_anchor);
}

void TourCard::hideEvent(QHideEvent* event)
{
    m_ring->hide();
    QWidget::hideEvent(event);
}

}  // namespace hs::start
