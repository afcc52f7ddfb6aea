#pragma once

#include <QList>
#include <QRgb>
#include <QString>
#include <QStringList>

#include <array>

namespace hs {

/// How a weight in 0..1 becomes a place on the colour map.
enum class Scale {
    Linear,
    SquareRoot,  // lifts small weights, so that faint structure shows
};

double scaled(double weight, Scale scale);

/// A named sequential map of 256 colours. Every map's lightness runs one way in even steps, so it
/// stays readable in grey print and to colour-blind eyes.
class ColourMap {
public:
    /// Names in the order a menu shows them; the first is the default.
    static QStringList names();

    /// The map of that name; the default map for a name that is not there.
    static ColourMap named(const QString& name);

    const QString& name() const { return m_name; }
    QRgb at(int level) const { return m_colours[static_cast<std::size_t>(level)]; }

    /// Colours of the weights 0/255 .. 255/255 under a scale.
    QList<QRgb> table(Scale scale) const;

    /// Whether a weight of 0 is drawn dark, so that what lies on it must be light.
    bool startsDark() const { return qGray(m_colours.front()) < 128; }

private:
    QString m_name;
    std::array<QRgb, 256> m_colours{};
};

}  // namespace hs
