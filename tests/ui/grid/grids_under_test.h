#pragma once

#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "ui/explorer_under_test.h"

namespace hs::test {

/// Both grids on an Explorer with made-up models.
struct GridsUnderTest {
    explicit GridsUnderTest(const QString& left = QStringLiteral("fake:4x6"),
                            const QString& right = QStringLiteral("fake:4x6+gate"))
    {
        grids = std::make_unique<grid::HeadGrids>(*tested.explorer);
        grids->resize(1100, 600);
        grids->show();
        tested.start(left, right);
    }

    control::Explorer& explorer() { return *tested.explorer; }
    grid::Canvas& canvas(Side side) { return grids->grid(side).canvas(); }
    QPointF centre(Side side, HeadId head) { return canvas(side).tileRect(head).center(); }
    void edit(const std::function<void(control::Document&)>& change)
    {
        explorer().edit(QStringLiteral("Test"), change);
    }

    ExplorerUnderTest tested;
    std::unique_ptr<grid::HeadGrids> grids;
};

}  // namespace hs::test
