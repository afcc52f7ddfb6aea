#pragma once

#include "figures/presets/summary_figure.h"

namespace hs::figures {

/// The figures of models as blocks: a name, below it a bar and a value for each model, and at the
/// right how much less the second one's is. Blocks stand in as many columns as there is room for.
class FiguresWithBars {
public:
    FiguresWithBars(const SummaryFigure& figure, const FigureForm& form);

    bool isEmpty() const { return m_figure.rows.empty(); }
    /// Of so many columns in which no name must be cut.
    double widthFor(int columns) const { return columns * m_leastWidth + (columns - 1) * columnGap(); }
    /// Of all blocks on top of each other.
    double tallestHeight() const { return static_cast<double>(m_figure.rows.size()) * blockHeight(); }

    /// Draws the key to the colours and the blocks from `at` on.
    void draw(Drawing& drawing, QPointF at, double width) const;

private:
    double drawKey(Drawing& drawing, QPointF at, double width) const;
    void drawBlock(Drawing& drawing, const SummaryRow& row, QPointF at, double width) const;
    double blockHeight() const;
    double columnGap() const { return 2.6 * m_form.fontSize; }
    double linePitch() const { return 1.2 * m_form.smallSize(); }

    const SummaryFigure& m_figure;
    const FigureForm& m_form;
    double m_leastWidth = 0;
};

/// A figure as text: "73 %" for a share, else "0.68" or "8"; "–" for none.
QString figureText(double value, bool isShare);

/// "−62 %", "+40 %"; "–" where it is not known.
QString reductionText(double before, double after);

}  // namespace hs::figures
