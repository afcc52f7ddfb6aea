#pragma once

#include "figures/presets/summary_figure.h"

namespace hs::figures {

/// The models' figures as blocks: a name, below it a bar and a value for each model, and on the right
/// the change from the first model to the second. Blocks fill as many columns as there is room for.
class FiguresWithBars {
public:
    FiguresWithBars(const SummaryFigure& figure, const Form& form);

    bool isEmpty() const { return m_figure.rows.empty(); }
    /// The width of this many columns without cutting any name.
    double widthFor(int columns) const { return columns * m_leastWidth + (columns - 1) * columnGap(); }
    /// The height of all blocks in one column.
    double tallestHeight() const { return static_cast<double>(m_figure.rows.size()) * blockHeight(); }

    /// Draws the key to the colours, unless it is not wanted, and the blocks from `at` on. Returns their height.
    double draw(Drawing& drawing, QPointF at, double width, bool hasKey = true) const;

private:
    double drawKey(Drawing& drawing, QPointF at, double width) const;
    void drawBlock(Drawing& drawing, const SummaryRow& row, QPointF at, double width) const;
    double blockHeight() const;
    double columnGap() const { return 2.6 * m_form.fontSize; }
    double linePitch() const { return 1.2 * m_form.smallSize(); }

    const SummaryFigure& m_figure;
    const Form& m_form;
    double m_leastWidth = 0;
};

/// A figure as text: "73 %" for a share, otherwise "0.68" or "8"; "–" for none.
QString figureText(double value, bool isShare);

/// "−62 %", "+40 %"; "–" if unknown.
QString reductionText(double before, double after);

/// "4.5×", "16.1×", "230×"; "–" if unknown.
QString timesText(double first, double second);

}  // namespace hs::figures
