#include "panels/analyses/head_bars.h"

#include "panels/widgets/panel_style.h"
#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace hs;
using namespace hs::test;

namespace {

panels::RankedBars bars(const QString& title, int count)
{
    panels::RankedBars side{title, {}};
    for (int index = 0; index < count; ++index) {
        const HeadId head{index / 32, index % 32};
        panels::HeadBar bar;
        bar.name = QString::fromStdString(toString(head));
        bar.heads = {head};
        bar.value = (index % 2 == 0 ? 1.0 : -1.0) / (1 + index);
        side.bars.push_back(bar);
    }
    return side;
}

struct BarsScene {
    explicit BarsScene(int left = 40, int right = 40, QSize size = {800, 200})
    {
        widget.setBars({bars(QStringLiteral("dense"), left), bars(QStringLiteral("sparse"), right)},
                       QStringLiteral("effect"));
        present(widget, size);
        widget.grab();
    }

    void click(Side side, int rank, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(&widget, Qt::LeftButton, modifiers, widget.stripOf(side, rank).center().toPoint());
    }
    void key(Qt::Key key) { QTest::keyClick(&widget, key); }

    panels::HeadBars widget;
};

}  // namespace

TEST_CASE("each bar that is drawn is picked where it is drawn, on its own side")
{
    BarsScene scene(12, 7);
    QSignalSpy picked(&scene.widget, &panels::HeadBars::picked);
    for (const Side side : kSides)
        for (int rank = 0; rank < static_cast<int>(scene.widget.bars(side).size()); ++rank) {
            REQUIRE_FALSE(scene.widget.stripOf(side, rank).isEmpty());
            scene.click(side, rank, Qt::ControlModifier);
            REQUIRE(picked.count() == 1);
            const QList<QVariant> heard = picked.takeFirst();
            CHECK(heard[0].value<Side>() == side);
            CHECK(heard[1].toInt() == rank);
            CHECK(heard[2].value<Qt::KeyboardModifiers>() == Qt::ControlModifier);
        }
    CHECK(scene.widget.stripOf(Side::Right, 7).isEmpty());
}

TEST_CASE("bars of 1,024 heads are scrolled to, and those scrolled off are not there")
{
    BarsScene scene(1024, 1024);
    CHECK(scene.widget.room() < 64);
    CHECK(scene.widget.stripOf(Side::Left, 500).isEmpty());
    scene.widget.showFrom(500);
    CHECK_FALSE(scene.widget.stripOf(Side::Left, 500).isEmpty());
    QSignalSpy picked(&scene.widget, &panels::HeadBars::picked);
    scene.click(Side::Right, 503);
    REQUIRE(picked.count() == 1);
    CHECK(picked.front()[1].toInt() == 503);
    scene.widget.showFrom(5000);
    CHECK(scene.widget.firstShown() == 1024 - scene.widget.room());
    scene.widget.setBars({bars(QStringLiteral("dense"), 4), {}}, QStringLiteral("effect"));
    CHECK(scene.widget.firstShown() == 0);
    CHECK_FALSE(scene.widget.stripOf(Side::Left, 3).isEmpty());
}

TEST_CASE("keys go from bar to bar and pick, and what is out of sight comes into it")
{
    BarsScene scene(100, 30);
    scene.widget.setFocus();
    QSignalSpy hovered(&scene.widget, &panels::HeadBars::hovered);
    QSignalSpy picked(&scene.widget, &panels::HeadBars::picked);
    scene.key(Qt::Key_Right);
    scene.key(Qt::Key_Right);
    scene.key(Qt::Key_Return);
    REQUIRE(picked.count() == 1);
    CHECK(picked.front()[0].value<Side>() == Side::Left);
    CHECK(picked.front()[1].toInt() == 1);
    scene.key(Qt::Key_End);
    CHECK(hovered.last()[1].toInt() == 99);
    CHECK_FALSE(scene.widget.stripOf(Side::Left, 99).isEmpty());
    scene.key(Qt::Key_Down);
    CHECK(hovered.last()[0].value<Side>() == Side::Right);
    CHECK(hovered.last()[1].toInt() == 29);
    scene.key(Qt::Key_Escape);
    scene.key(Qt::Key_Return);
    CHECK(picked.count() == 1);
}

TEST_CASE("a side without bars takes no room, and none at all is no trouble")
{
    BarsScene both(10, 10);
    BarsScene alone(10, 0);
    CHECK(alone.widget.room() > both.widget.room());
    CHECK(alone.widget.stripOf(Side::Right, 0).isEmpty());
    BarsScene none(0, 0);
    none.widget.setFocus();
    none.key(Qt::Key_Right);
    none.key(Qt::Key_Down);
    none.key(Qt::Key_Return);
    QTest::mouseClick(&none.widget, Qt::LeftButton);
    CHECK_FALSE(none.widget.grab().isNull());
}

TEST_CASE("bars wear their side's colour, in both themes and on paper")
{
    BarsScene scene(6, 6);
    const auto count = [&](const QImage& picture, const QPalette& inks) {
        const QColor colour = panels::sideColour(Side::Right, inks);
        return countPixels(picture, [&colour](const QColor& pixel) { return pixel.rgb() == colour.rgb(); });
    };
    CHECK(count(scene.widget.grab().toImage(), scene.widget.palette()) > 200);
    QPalette dark = scene.widget.palette();
    dark.setColor(QPalette::Window, Qt::black);
    dark.setColor(QPalette::Base, Qt::black);
    scene.widget.setPalette(dark);
    QApplication::processEvents();
    CHECK(count(scene.widget.grab().toImage(), dark) > 200);
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("bars.png"));
    REQUIRE(scene.widget.save(file.toStdString()));
    const QImage paper(file);
    CHECK(paper.pixelColor(2, 2) == Qt::white);
    CHECK(count(paper, QPalette(Qt::white, Qt::white)) > 200);
    CHECK(scene.widget.grab().toImage().pixelColor(2, 2) == Qt::black);
}

TEST_CASE("plots go into files by their ending, and others are refused with the remedy")
{
    BarsScene scene(6, 6);
    const QTemporaryDir folder;
    const auto pdf = scene.widget.save(folder.filePath(QStringLiteral("bars.pdf")).toStdString());
    REQUIRE(pdf);
    CHECK(std::filesystem::file_size(*pdf) > 1000);
    const auto other = scene.widget.save(folder.filePath(QStringLiteral("bars.gif")).toStdString());
    REQUIRE_FALSE(other);
    CHECK(other.error().message.ends_with("end it in .pdf or .png."));
    const auto nowhere = scene.widget.save("/no/such/folder/bars.png");
    REQUIRE_FALSE(nowhere);
    CHECK(nowhere.error().message.ends_with("choose another folder."));
}
