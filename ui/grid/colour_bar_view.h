#pragma once

#include "control/document/document.h"
#include "render/colour_map.h"

#include <QWidget>

namespace hs::grid {

/// The colours of the grids with their numbers and the name of the scale.
class ColourBarView : public QWidget {
    Q_OBJECT

public:
    explicit ColourBarView(QWidget* parent = nullptr);

    /// `fulls` are the values of full colour in the grids that are shown; clipped if there are larger ones.
    /// Cells of blocks are sums over keys and means over queries.
    void setColours(const render::ColourMap& map, render::Scale scale, bool isPerHead,
                    control::TileValue value, const std::vector<double>& fulls, bool isClipped,
                    bool hasBlocks);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString scaleName() const;
    QFont smallFont() const;
    int overhang(const QFontMetrics& metrics) const;

    render::ColourMap m_map;
    render::Scale m_scale = render::Scale::Linear;
    bool m_isPerHead = false;
    control::TileValue m_value = control::TileValue::Weights;
    bool m_isClipped = false;
    bool m_hasBlocks = false;
    double m_full = 1;   // of the numbers under the bar
    QString m_fullNote;  // where the grids have different ones
};

}  // namespace hs::grid
