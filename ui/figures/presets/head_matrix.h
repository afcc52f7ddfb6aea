#pragma once

#include "figures/parts/value_colours.h"
#include "figures/presets/summary_figure.h"

namespace hs::figures {

/// How values are written into cells; not at all if the size is 0.
struct CellNumbers {
    double size = 0;
    bool hasLeadingZero = true;  // "0.68" rather than ".68"
};

/// At most two decimals and, above 1, two digits: "0.68", "3.4", "12".
QString cellNumber(double value, bool hasLeadingZero);

/// The largest numbers that fit every cell of these panels.
CellNumbers fittingNumbers(const std::vector<SummaryPanel>& panels, const Form& form, double cellSide);

/// One model's heads as squares in the colours of their values, layers down and heads across; MLPs are a column of their
/// own behind them.
class HeadMatrix {
public:
    /// `cellSide` in points.
    HeadMatrix(const SummaryPanel& panel, const Form& form, double cellSide);

    /// Including labels and the height of the heading, which may be wider.
    QSizeF size() const
    {
        return {m_origin.x() + grid().width() + mlpWidth(), m_origin.y() + grid().height()};
    }
    double headingWidth() const;
    /// Where the cells begin, from the matrix's top left corner.
    QPointF origin() const { return m_origin; }

    void draw(Drawing& drawing, QPointF at, const ValueColours& colours, const CellNumbers& numbers,
              double headingWidth) const;

private:
    QSizeF grid() const { return QSizeF(m_panel.heads.heads, m_panel.heads.layers) * m_cellSide; }
    /// Of the MLPs' column with the gap before it.
    double mlpWidth() const;
    QRectF mlpPlace(QPointF at) const;
    QString caption() const;
    void drawCells(Drawing& drawing, const QRectF& place, const ValueColours& colours) const;
    void drawMlps(Drawing& drawing, const QRectF& place, const ValueColours& colours) const;
    void drawFrame(Drawing& drawing, const QRectF& place, int columns) const;
    void drawNumbers(Drawing& drawing, QPointF at, const ValueColours& colours,
                     const CellNumbers& numbers) const;
    void drawLabels(Drawing& drawing, QPointF at) const;

    const SummaryPanel& m_panel;
    const Form& m_form;
    double m_cellSide;
    QPointF m_origin;
};

}  // namespace hs::figures
