#pragma once

#include "base/side.h"

#include <QStringList>
#include <QWidget>

#include <array>
#include <optional>
#include <vector>

class QCPBars;
class QCPItemStraightLine;
class QCustomPlot;
class QLabel;

namespace hs::panels {

/// One query's row as bars over its keys, both sides in their colours. Keys narrower than a pixel are pooled
/// to the strongest; as many keys are named as fit, the strongest first.
class RowProfile : public QWidget {
    Q_OBJECT

public:
    explicit RowProfile(QWidget* parent = nullptr);

    /// Values are NaN for keys without one; a side without values is left out. [Side] of [key]
    void setRow(const QString& title, const QStringList& labels,
                const std::array<std::vector<double>, 2>& values, std::optional<int> markedKey);
    /// Bars of a difference belong to no side.
    void setNeutral(bool isNeutral);

    QSize sizeHint() const override { return {320, 104}; }
    QSize minimumSizeHint() const override { return {120, 80}; }

Q_SIGNALS:
    void keyHovered(int key);
    void hoverLeft();

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyStyle();
    void refill();
    void label();
    int keys() const;
    std::vector<int> namedKeys() const;
    std::optional<int> keyAt(QPointF position) const;

    QStringList m_labels;
    std::array<std::vector<double>, 2> m_values;  // [Side] of [key]
    bool m_isNeutral = false;
    std::optional<int> m_marked;
    QLabel* m_title;
    QCustomPlot* m_plot;
    std::array<QCPBars*, 2> m_bars;  // [Side]
    QCPItemStraightLine* m_mark;
};

}  // namespace hs::panels
