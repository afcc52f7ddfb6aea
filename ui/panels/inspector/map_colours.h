#pragma once

#include "control/document/document.h"
#include "panels/inspector/head_map.h"

#include <QList>

#include <span>
#include <vector>

namespace hs::panels {

/// A mark on the colour bar.
struct MapTick {
    double level = 0;  // 0..255
    QString text;
};

/// How a view's values become colours: with the grid's map and scale where the grid shows the same.
class MapColours {
public:
    static constexpr int kLevels = 256;

    MapColours() = default;
    MapColours(MapView view, const ValueRange& limits, const control::Look& look, bool isDark);

    /// The values of the first and the last colour for these maps.
    static ValueRange limits(MapView view, bool isPerHead, std::span<const HeadMap> maps);

    /// A whole number in 0..255, NaN for NaN.
    double levelOf(double value) const;
    const QList<QRgb>& colours() const { return m_colours; }  // [level]
    QRgb ground() const { return m_ground; }                  // of cells without a value
    bool isSigned() const { return m_isSigned; }
    /// About that many, in ascending order, none too close to another.
    std::vector<MapTick> ticks(int most) const;

    friend bool operator==(const MapColours&, const MapColours&) = default;

private:
    double placeOf(double value) const;  // 0..1; -1..1 in a signed view
    double exactLevel(double value) const;
    std::vector<double> tickValues(int most) const;

    bool m_isSigned = false;
    ValueRange m_limits{0, 1};
    render::Scale m_scale = render::Scale::Linear;
    QList<QRgb> m_colours;
    QRgb m_ground = 0xffffffff;
};

}  // namespace hs::panels
