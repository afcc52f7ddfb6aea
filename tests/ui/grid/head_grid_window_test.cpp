#include "grid/head_grid_window.h"

#include "grid/head_grid_view.h"
#include "grid/head_tooltip.h"
#include "support/catch.h"
#include "ui/made_up_run.h"

#include <QAction>
#include <QImage>

#include <limits>

using namespace hs;

namespace {

GridFigure demoFigure()
{
    GridPanel panel;
    panel.title = QStringLiteral("Made up");
    panel.result = test::madeUpRun({4, 6, 6}, 12);
    panel.heads = test::allHeads(panel.result);
    panel.caption = describeRun(panel);
    GridFigure figure;
    figure.panels = {panel};
    return figure;
}

QAction* actionNamed(const QWidget& window, const QString& text)
{
    for (QAction* action : window.findChildren<QAction*>())
        if (QString(action->text()).remove(QLatin1Char('&')) == text)
            return action;
    return nullptr;
}

}  // namespace

TEST_CASE("the window shows its figure and is named after its panels")
{
    HeadGridWindow window(demoFigure());
    window.resize(700, 500);
    CHECK(window.windowTitle() == QStringLiteral("Made up — HeadScope"));
    const QImage picture = window.centralWidget()->grab().toImage();
    const QRgb darkest = ColourMap::named(QStringLiteral("blues")).at(255);
    int dark = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            dark += (picture.pixel(x, y) | 0xff000000) == darkest;
    CHECK(dark > 100);
    CHECK_FALSE(window.centralWidget()->accessibleName().isEmpty());
    CHECK(window.centralWidget()->accessibleDescription().contains(QStringLiteral("24 of 24 heads")));
}

TEST_CASE("menu choices recolour the figure that is shown and saved")
{
    HeadGridWindow window(demoFigure());
    QAction* greys = actionNamed(window, QStringLiteral("greys"));
    QAction* linear = actionNamed(window, QStringLiteral("Linear"));
    REQUIRE(greys);
    REQUIRE(linear);
    greys->trigger();
    linear->trigger();
    CHECK(greys->isChecked());
    CHECK_FALSE(actionNamed(window, QStringLiteral("blues"))->isChecked());
    CHECK(window.figure().colourMap == QStringLiteral("greys"));
    CHECK(window.figure().scale == Scale::Linear);
}

TEST_CASE("saving and quitting have the shortcuts of the platform")
{
    HeadGridWindow window(demoFigure());
    REQUIRE(actionNamed(window, QStringLiteral("Save picture…")));
    CHECK(actionNamed(window, QStringLiteral("Save picture…"))->shortcut() ==
          QKeySequence(QKeySequence::Save));
    CHECK(actionNamed(window, QStringLiteral("Quit"))->shortcut() == QKeySequence(QKeySequence::Quit));
}

TEST_CASE("the tooltip names the head and its statistics")
{
    GridPanel panel = demoFigure().panels[0];
    HeadStats& stats = panel.result.stats[static_cast<std::size_t>(panel.result.heads.indexOf({2, 3}))];
    stats.previousToken = 0.389;
    stats.induction = std::numeric_limits<double>::quiet_NaN();
    stats.density = 0.0042;
    panel.ablated = {{2, 3}};
    const QString text = headTooltip(panel, {2, 3});
    CHECK(text.contains(QStringLiteral("L2H3 (ablated)")));
    CHECK(text.contains(QStringLiteral("0.389")));
    CHECK(text.contains(QStringLiteral("0.42 %")));
    CHECK(text.contains(QStringLiteral("–")));
    CHECK_FALSE(text.contains(QStringLiteral("nan")));
}
