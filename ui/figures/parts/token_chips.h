#pragma once

#include "figures/parts/drawing.h"
#include "figures/parts/form.h"

#include <map>
#include <optional>
#include <vector>

namespace hs::figures {

/// How a token stands out in a strip.
enum class ChipKind { Plain, Source, Marked, Target };

/// Colour of a chip's outline and of what points to it.
QRgb inkOf(ChipKind kind);

double chipHeight(const Form& form);
/// The width of a chip with this text, at most `most`.
double chipWidth(const QString& text, const Form& form, double most);
/// A rounded chip with its text centred and elided to fit.
void drawChip(Drawing& drawing, const QRectF& place, const QString& text, ChipKind kind, const Form& form);

/// A prompt as a row of chips with their positions, counted from 1, below. If it is wider than the
/// strip, the tokens around those that stand out are shown, and "…" for the others.
class TokenStrip {
public:
    /// `kinds` has the tokens that stand out, by position from 0.
    TokenStrip(const std::vector<QString>& tokens, const std::map<int, ChipKind>& kinds, const Form& form,
               double width);

    /// Including the positions below.
    QSizeF size() const;
    /// A token's place, from the strip's top left corner; none if it is left out.
    std::optional<QRectF> chip(int position) const;
    int leftOut() const { return m_leftOut; }

    void draw(Drawing& drawing, QPointF at) const;

private:
    struct Place {
        int position = 0;  // kGap: "…"
        QRectF chip;
    };

    static constexpr int kGap = -1;

    double widthOf(int position, double mostWidth) const;
    double totalWidth(const std::vector<bool>& isShown, double mostWidth) const;
    std::vector<bool> choose(double width, double& mostWidth) const;
    void place(const std::vector<bool>& isShown, double mostWidth);

    const std::vector<QString>& m_tokens;
    const std::map<int, ChipKind>& m_kinds;
    const Form& m_form;
    std::vector<double> m_naturalWidths;  // [token]
    std::vector<Place> m_places;
    int m_leftOut = 0;
};

}  // namespace hs::figures
