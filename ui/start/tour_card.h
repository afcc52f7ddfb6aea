#pragma once

#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;

namespace hs::start {

/// Where a card stands and which of its edges points at what it speaks of; none if it stands over it.
struct CardPlace {
    QRect card;
    std::optional<Qt::Edge> edge;
};

/// Beside the anchor where there is room, otherwise in the lower right corner of the room.
CardPlace placeCard(QSize card, const QRect& anchor, const QRect& room);

/// A small card over the window that points at something in it and lets the rest be used. All rectangles are in
/// the window's coordinates.
class TourCard : public QWidget {
    Q_OBJECT

public:
    explicit TourCard(QWidget& window);

    void showStep(const QString& title, const QString& text, int step, int count);
    /// Marks the step as done, before the next one is shown.
    void setDone(bool isDone);
    void pointAt(const QRect& anchor);
    const QRect& anchor() const { return m_anchor; }

Q_SIGNALS:
    void nextRequested();
    void backRequested();
    void closeRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void showCount();

    QLabel* m_title;
    QLabel* m_text;
    QLabel* m_count;
    QPushButton* m_back;
    QPushButton* m_next;
    QWidget* m_ring;  // around the anchor
    QRect m_anchor;
    std::optional<Qt::Edge> m_edge;
    int m_step = 0;
    int m_steps = 1;
    bool m_isDone = false;
};

}  // namespace hs::start
