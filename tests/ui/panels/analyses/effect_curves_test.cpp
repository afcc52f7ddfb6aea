#include "panels/analyses/effect_curves.h"

#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QSignalSpy>
#include <QTest>

using namespace hs;
using namespace hs::test;

namespace {

figures::EffectCurve curve(const QString& title, int units, int smallest)
{
    figures::EffectCurve made{title, {}, smallest};
    for (int kept = 0; kept <= units; ++kept)
        made.points.push_back({kept, std::min(1.0, 0.9 * kept / smallest)});
    return made;
}

struct CurvesScene {
    CurvesScene(int units, int left, int right)
    {
        widget.setCurves(
            {curve(QStringLiteral("dense"), units, left), curve(QStringLiteral("sparse"), units, right)}, 0.9,
            {QStringLiteral("heads"), QStringLiteral("explained effect"), {}});
        present(widget, {400, 240});
        widget.grab();
    }

    panels::EffectCurves widget;
};

}  // namespace

TEST_CASE("a click on a curve picks the count that it is at, linear and logarithmic alike")
{
    for (const int units : {24, 1024}) {
        CurvesScene scene(units, 19, 3);
        QSignalSpy picked(&scene.widget, &panels::EffectCurves::countPicked);
        QTest::mouseClick(&scene.widget, Qt::LeftButton, {}, scene.widget.pointAt(Side::Left, 10).toPoint());
        REQUIRE(picked.count() == 1);
        CHECK(picked.front()[0].value<Side>() == Side::Left);
        CHECK(picked.front()[1].toInt() == 10);
        QTest::mouseClick(&scene.widget, Qt::LeftButton, {}, scene.widget.pointAt(Side::Right, 2).toPoint());
        CHECK(picked.last()[0].value<Side>() == Side::Right);
        CHECK(picked.last()[1].toInt() == 2);
    }
}

TEST_CASE("many counts are spread by their logarithm, so that the first few have room")
{
    CurvesScene few(24, 19, 3);
    CurvesScene many(1024, 19, 3);
    const auto share = [](const panels::EffectCurves& widget, int units) {
        const double first = widget.pointAt(Side::Left, 1).x();
        return (widget.pointAt(Side::Left, 10).x() - first) / (widget.pointAt(Side::Left, units).x() - first);
    };
    CHECK(share(few.widget, 24) == Approx(9.0 / 23).margin(0.02));
    CHECK(share(many.widget, 1024) > 0.3);
}

TEST_CASE("keys move along the curves and pick")
{
    CurvesScene scene(24, 19, 3);
    QSignalSpy picked(&scene.widget, &panels::EffectCurves::countPicked);
    scene.widget.setFocus();
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Right, Qt::Key_Return})
        QTest::keyClick(&scene.widget, key);
    REQUIRE(picked.count() == 1);
    CHECK(picked.front()[1].toInt() == 2);
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Return})
        QTest::keyClick(&scene.widget, key);
    CHECK(picked.last()[0].value<Side>() == Side::Right);
    CHECK(picked.last()[1].toInt() == 3);
}

TEST_CASE("a curve alone, and none, are shown without trouble")
{
    panels::EffectCurves widget;
    widget.setCurves({}, 0.9, {});
    present(widget, {300, 200});
    widget.setFocus();
    QTest::keyClick(&widget, Qt::Key_Right);
    QTest::keyClick(&widget, Qt::Key_Return);
    QTest::mouseClick(&widget, Qt::LeftButton);
    widget.setCurves({figures::EffectCurve(), curve(QStringLiteral("sparse"), 4, 2)}, 0.9, {});
    QSignalSpy picked(&widget, &panels::EffectCurves::countPicked);
    widget.grab();
    QTest::keyClick(&widget, Qt::Key_Right);
    QTest::keyClick(&widget, Qt::Key_Return);
    REQUIRE(picked.count() == 1);
    CHECK(picked.front()[0].value<Side>() == Side::Right);
}
