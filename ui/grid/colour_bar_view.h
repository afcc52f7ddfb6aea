#pragma once

#include "render/colour_map.h"

#include <QWidget>

namespace hs::grid {

/// The colours of the grids with their numbers and the name of the scale.
class ColourBarView : public QWidget {
    Q_OBJECT

public:
    explicit ColourBarView(QWidget* parent = nullptr);

    void setColours(const render::ColourMap& map, render::Scale scale, bool isPerHead);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString scaleName() const;
    QFont smallFont() const;

    render::ColourMap m_map;
    render::Scale m_scale = render::Scale::Linear;
    bool m_isPerHead = false;
};

}  // namespace hs::grid
