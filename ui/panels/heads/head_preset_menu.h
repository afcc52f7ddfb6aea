#pragma once

#include "control/explorer/explorer.h"

#include <QMenu>

namespace hs::panels {

/// Ready-made choices of which heads of the active side run, and published circuits if the model has the
/// shape they were found in. Fills itself when it opens.
class HeadPresetMenu : public QMenu {
    Q_OBJECT

public:
    explicit HeadPresetMenu(control::Explorer& explorer, QWidget* parent = nullptr);

    void fill();

private:
    void addCircuits(const HeadShape& shape);
    void invert(const HeadShape& shape);

    control::Explorer& m_explorer;
};

}  // namespace hs::panels
