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

/// A named map of 256 colours. The lightness of a sequential map runs one way in even steps, so it
/// stays readable in grey print and to colour-blind eyes; that of the diverging map runs away from
/// the middle, the same to both sides.
class ColourMap {
public:
    /// Names of sequential maps in the order a menu shows them; the first is the default.
    static QStringList names();

    /// The map of that name; the default map for a name that is not there.
    static ColourMap named(const QString& name);

    /// For differences: blue below, white at 128, vermilion above.
    static ColourMap diverging();

    /// The twin for a dark ground, which starts (or has its middle) dark; this map where it starts
    /// dark already.
    ColourMap onDark() const;

    const QString& name() const { return m_name; }
    bool isDiverging() const { return m_isDiverging; }
    QRgb at(int level) const { return m_colours[static_cast<std::size_t>(level)]; }
    QRgb ground() const { return at(m_isDiverging ? 128 : 0); }

    /// Colours of the weights 0/255 .. 255/255 under a scale; of the differences -1 .. 1 with none at
    /// 128 for the diverging map.
    QList<QRgb> table(Scale scale) const;

    /// Whether a weight of 0 is drawn dark, so that what lies on it must be light.
    bool startsDark() const { return qGray(ground()) < 128; }

private:
    QString m_name;
    bool m_isDiverging = false;
    std::array<QRgb, 256> m_colours{};
};

}  // namespace hs::render
