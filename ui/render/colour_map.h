#pragma once

#include "base/enum_words.h"

#include <QList>
#include <QRgb>
#include <QString>
#include <QStringList>

#include <array>

namespace hs::render {

/// How a weight in 0..1 becomes a place on the colour map.
enum class Scale {
    Linear,
    SquareRoot,   // lifts small weights, so that faint structure shows
    Logarithmic,  // three decades, 0.001 to 1
};

constexpr auto enumWords(Scale)
{
    return std::to_array<EnumWord<Scale>>({{Scale::Linear, "linear"},
                                           {Scale::SquareRoot, "square-root"},
                                           {Scale::SquareRoot, "sqrt"},
                                           {Scale::Logarithmic, "logarithmic"},
                                           {Scale::Logarithmic, "log"}});
}

double scaled(double weight, Scale scale);

/// A named map of 256 colours. A sequential map's lightness changes one way in even steps, so the map
/// stays readable in grey print and for colour-blind readers; the diverging map's changes from the
/// middle outwards, the same on both sides.
class ColourMap {
public:
    /// Names of sequential maps in the order a menu shows them; the first is the default.
    static QStringList names();

    /// The map of that name; the default map for an unknown name.
    static ColourMap named(const QString& name);

    /// For differences: blue below, white at 128, vermilion above.
    static ColourMap diverging();

    /// The counterpart for a dark background, with a dark start (or middle); this map itself if it already
    /// starts dark.
    ColourMap onDark() const;

    const QString& name() const { return m_name; }
    bool isDiverging() const { return m_isDiverging; }
    QRgb at(int level) const { return m_colours[static_cast<std::size_t>(level)]; }
    QRgb ground() const { return at(m_isDiverging ? 128 : 0); }

    /// Colours for the weights 0/255 .. 255/255 under a scale; for the diverging map, those for the
    /// differences -1 .. 1, with no difference at 128.
    QList<QRgb> table(Scale scale) const;

    /// Whether a weight of 0 is drawn dark, so that whatever is drawn on it must be light.
    bool startsDark() const { return qGray(ground()) < 128; }

private:
    QString m_name;
    bool m_isDiverging = false;
    std::array<QRgb, 256> m_colours{};
};

}  // namespace hs::render
