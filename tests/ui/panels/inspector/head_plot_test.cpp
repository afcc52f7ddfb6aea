#include "panels/inspector/head_plot.h"

#include "panels/inspector/head_map.h"
#include "support/catch.h"
#include "ui/made_up_run.h"

#include <QMouseEvent>
#include <QTest>

#include <algorithm>

using namespace hs;
using namespace hs::test;

TEST_CASE("while a block is dragged, what would be cut is marked")
{
    constexpr int kTokens = 16;
    const std::vector<float> weights = madeUpMap({0, 0}, kTokens);
    const std::shared_ptr<float[]> cells(new float[weights.size()]);
    std::ranges::copy(weights, cells.get());
    panels::HeadPlot plot;
    plot.resize(400, 400);
    plot.setMap({cells, kTokens}, {panels::MapView::Weights, {0, 1}, {}, false});
    const auto lookWhile = [&](Qt::KeyboardModifiers modifiers) {
        const auto at = [&](int query, int key) { return plot.cellRect({query, key}).center(); };
        QTest::mousePress(&plot, Qt::LeftButton, Qt::ShiftModifier | modifiers, at(12, 2).toPoint());
        QMouseEvent move(QEvent::MouseMove, at(8, 4), plot.mapToGlobal(at(8, 4)), Qt::NoButton,
                         Qt::LeftButton, Qt::ShiftModifier | modifiers);
        QCoreApplication::sendEvent(&plot, &move);
        const QImage look = plot.grab().toImage();
        QTest::mouseRelease(&plot, Qt::LeftButton, Qt::ShiftModifier | modifiers, at(8, 4).toPoint());
        plot.setMarks({}, {});
        return look;
    };
    const auto lookWith = [&](std::optional<text::TokenSpan> query, std::optional<text::TokenSpan> key) {
        plot.setMarks(query, key);
        const QImage look = plot.grab().toImage();
        plot.setMarks({}, {});
        return look;
    };
    const text::TokenSpan queries(8, 12), keys(2, 4);
    CHECK(lookWhile({}) == lookWith(queries, keys));
    CHECK(lookWhile(Qt::ControlModifier) == lookWith({}, keys));
    CHECK(lookWhile(Qt::AltModifier) == lookWith(queries, {}));
    CHECK(lookWith({}, keys) != lookWith(queries, keys));
}
