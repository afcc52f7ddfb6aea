#pragma once

#include "figures/parts/drawing.h"
#include "figures/parts/form.h"

namespace hs::figures {

/// The page of a figure: margins, headings, and the foot with caption and colour bar, the same for
/// every preset. Draw onto drawing() from origin() on, within width(), then call finish.
class Sheet {
public:
    explicit Sheet(const Form& form);

    Drawing& drawing() { return m_drawing; }
    QPointF origin() const { return {kMargin, kMargin}; }
    double width() const { return pointsOf(m_form.width) - 2 * kMargin; }
    /// Between panels.
    double gap() const { return 2.2 * m_form.fontSize; }

    TextStyle title() const { return {m_form.titleSize(), QFont::DemiBold, render::FigureStyle::kInk, {}}; }
    TextStyle usual() const { return {m_form.fontSize, QFont::Normal, render::FigureStyle::kInk, {}}; }
    TextStyle quiet() const { return {m_form.fontSize, QFont::Normal, render::FigureStyle::kQuietInk, {}}; }
    TextStyle small() const
    {
        return {m_form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
    }

    /// Adds caption and colour bar below everything drawn and crops the page to its content.
    /// For the caption see captionOf.
    Drawing finish(const QString& standardCaption, bool hasWeights);

private:
    void drawCaption(const QString& caption, double top, double width, double& bottom);
    QRectF drawColourBar(double right, double top);
    QRectF contentBounds() const;

    static constexpr double kMargin = 2;

    const Form& m_form;
    Drawing m_drawing;
};

/// Draws the title and, below it, a line of figures, from `at` on, elided to `width`. Returns their
/// height with the space below.
double drawHeading(Drawing& drawing, QPointF at, const QString& title, const QString& caption, double width,
                   const Form& form);

/// The form's own caption, or the standard one, which ends with the colours if tiles show weights; empty if
/// there shall be none.
QString captionOf(const QString& standardCaption, bool hasWeights, const Form& form);

/// "attention, √ scale": what a colour bar shows.
QString colourBarName(const Form& form);

/// "√ scale".
QString scaleName(render::Scale scale);

/// "Colours: √ scale, 0–1, shared by all heads.": how weights became colours.
QString describeColours(const Form& form);

}  // namespace hs::figures
