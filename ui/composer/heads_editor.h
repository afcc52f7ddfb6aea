#pragma once

#include "control/explorer/explorer.h"

#include <QWidget>

class QTabBar;

namespace hs::composer {

class SideForm;

/// What the figure shows from each side, one side at a time.
class HeadsEditor : public QWidget {
    Q_OBJECT

public:
    explicit HeadsEditor(control::Explorer& explorer, QWidget* parent = nullptr);

    SideForm& side(Side side) { return *m_sides[indexOf(side)]; }

private:
    void showTitles();
    void showSide(int index);

    control::Explorer& m_explorer;
    QTabBar* m_tabs;
    std::array<SideForm*, 2> m_sides;  // [Side]
};

}  // namespace hs::composer
