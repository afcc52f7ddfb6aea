#pragma once

#include "base/side.h"
#include "panels/analyses/head_bar.h"
#include "panels/widgets/plot_frame.h"

#include <array>
#include <set>

class QCPAxisRect;
class QCPBars;
class QCPItemText;
class QScrollBar;

namespace hs::panels {

/// Values of heads as ranked bars, a plot per side on one scale, side by side or stacked. Scrolls if there
/// are too many bars. Arrow keys move from bar to bar, Enter picks.
class HeadBars : public PlotFrame {
    Q_OBJECT

public:
    explicit HeadBars(QWidget* parent = nullptr);

    /// A side without bars is left out. `what` names the values. [Side]
    void setBars(std::array<RankedBars, 2> sides, const QString& what);
    const std::vector<HeadBar>& bars(Side side) const { return m_sides[indexOf(side)].bars; }
    /// Marks the bars of these heads.
    void setMarked(const std::set<HeadId>& heads);
    /// For a result older than what is asked for.
    void setDimmed(bool isDimmed);
    /// Bars about both sides together are in neither side's colour.
    void setNeutral(bool isNeutral);

    /// How many ranks fit beside one another on a side.
    int room() const;
    int firstShown() const { return m_first; }
    void showFrom(int rank);
    /// A bar's strip, in widget pixels; empty where it is scrolled out of view.
    QRectF stripOf(Side side, int rank) const;

    QSize sizeHint() const override { return {520, 180}; }
    QSize minimumSizeHint() const override { return {160, 90}; }

Q_SIGNALS:
    void hovered(Side side, int rank);
    void hoverLeft();
    void picked(Side side, int rank, Qt::KeyboardModifiers modifiers);

protected:
    void applyStyle() override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// What one side is drawn with; owned by the plot.
    struct Part {
        QCPAxisRect* rect = nullptr;
        QCPItemText* title = nullptr;
        QCPBars* band = nullptr;  // behind the marked bars and the one pointed at
        QCPBars* pale = nullptr;
        QCPBars* full = nullptr;
    };
    struct Place {
        Side side = Side::Left;
        int rank = 0;

        friend bool operator==(const Place&, const Place&) = default;
    };

    Part newPart();
    Part& part(Side side) { return m_parts[indexOf(side)]; }
    const Part& part(Side side) const { return m_parts[indexOf(side)]; }
    bool isShown(Side side) const { return !m_sides[indexOf(side)].bars.empty(); }
    bool isStacked() const;
    int longest() const;

    void arrange();
    void refill();
    void fill(Side side);
    void label(Side side);
    std::optional<Place> placeAt(QPointF position) const;
    void setCurrent(std::optional<Place> place);
    void step(int ranks);
    void changeSide();
    QString tipOf(Place place) const;

    std::array<RankedBars, 2> m_sides;  // [Side]
    std::array<Part, 2> m_parts;        // [Side]
    QString m_what;
    std::set<HeadId> m_marked;
    std::optional<Place> m_current;  // under the pointer or the keyboard focus
    bool m_isDimmed = false;
    bool m_isNeutral = false;
    int m_first = 0;  // rank scrolled to
    QScrollBar* m_scroll;
};

}  // namespace hs::panels
