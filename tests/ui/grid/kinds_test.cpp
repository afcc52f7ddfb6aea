#include "grid/badge_legend.h"
#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "grid/kind_painter.h"
#include "support/catch.h"
#include "ui/explorer_under_test.h"
#include "ui/grid/pointer.h"

#include <cmath>

using namespace hs;
using namespace hs::test;

namespace {

struct KindFixture {
    KindFixture()
    {
        grids = std::make_unique<grid::HeadGrids>(*tested.explorer);
        grids->resize(1100, 600);
        grids->show();
        tested.start(QStringLiteral("fake:4x6"), QStringLiteral("fake:4x6+gate"));
    }

    grid::Canvas& canvas() { return grids->grid(Side::Left).canvas(); }
    grid::BadgeLegend& legend() { return *grids->findChild<grid::BadgeLegend*>(); }
    void edit(const std::function<void(control::Document&)>& change)
    {
        tested.explorer->edit(QStringLiteral("Test"), change);
        waitUntilIdle(*tested.explorer);
    }
    void showKinds()
    {
        edit([](control::Document& document) { document.badges.hasKinds = true; });
    }
    bool hasEntry(stats::HeadKind kind)
    {
        return std::ranges::any_of(legend().key().entries,
                                   [&](const auto& entry) { return entry.kind == kind; });
    }

    ExplorerUnderTest tested;
    std::unique_ptr<grid::HeadGrids> grids;
};

/// A colour as people see it who lack one kind of cones (Viénot, Brettel and Mollon 1999), 0..1 per channel.
std::array<double, 3> seen(QRgb colour, int missing)
{
    const auto linear = [](int channel) { return std::pow(channel / 255.0, 2.2); };
    const double r = linear(qRed(colour)), g = linear(qGreen(colour)), b = linear(qBlue(colour));
    std::array<double, 3> rgb = {r, g, b};
    if (missing == 1)
        rgb = {0.11238 * r + 0.88762 * g, 0.11238 * r + 0.88762 * g, 0.00401 * r - 0.00401 * g + b};
    if (missing == 2)
        rgb = {0.29275 * r + 0.70725 * g, 0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b};
    for (double& channel : rgb)
        channel = std::pow(std::clamp(channel, 0.0, 1.0), 1 / 2.2);
    return rgb;
}

}  // namespace

TEST_CASE("a strip beside each tile has the colour of the head's kind, and cells stay as they are")
{
    KindFixture fixture;
    const QImage before = picture(fixture.canvas());
    fixture.showKinds();
    const QImage after = picture(fixture.canvas());
    const grid::Content& content = fixture.canvas().content();
    const grid::Inks inks = grid::Inks::of(fixture.canvas().palette());
    CHECK(content.kinds.size() == 24);
    for (const auto& [head, kind] : content.kinds) {
        const QRect tile = fixture.canvas().tileRect(head).toRect();
        CHECK(after.pixel(tile.left() - 1, tile.center().y()) == grid::kindColour(kind, inks));
        CHECK(after.copy(tile) == before.copy(tile));
        CHECK(fixture.canvas().describe(head).contains(grid::kindTitle(kind)));
    }
}

TEST_CASE("the legend names the kinds, and says why induction cannot be seen")
{
    KindFixture fixture;
    CHECK(fixture.legend().isHidden());
    fixture.edit(
        [](control::Document& document) { control::setPrompt(document, QStringLiteral("one two one two")); });
    fixture.showKinds();
    CHECK_FALSE(fixture.legend().isHidden());
    for (const auto& [kind, word] : stats::enumWords(stats::HeadKind()))
        CHECK(fixture.hasEntry(kind));
    CHECK(fixture.legend().key().note.isEmpty());
    fixture.edit([](control::Document& document) {
        control::setPrompt(document, QStringLiteral("alpha beta gamma delta"));
    });
    CHECK_FALSE(fixture.hasEntry(stats::HeadKind::Induction));
    CHECK(fixture.hasEntry(stats::HeadKind::Sink));
    CHECK(fixture.legend().key().note.contains(QStringLiteral("induction")));
}

TEST_CASE("sinks are marked on tiles that are large enough")
{
    KindFixture fixture;
    grid::Canvas& canvas = fixture.canvas();
    const std::set<HeadId> sinks = canvas.content().sinks;
    CHECK_FALSE(sinks.empty());
    CHECK(sinks.size() < 24);
    for (const bool isLarge : {true, false}) {
        if (!isLarge)
            canvas.setZoom({16, canvas.geometryNow().zoom().centre});
        const QImage with = picture(canvas);
        grid::Content content = canvas.content();
        content.sinks.clear();
        canvas.setContent(content);
        const QImage without = picture(canvas);
        for (const HeadId head : content.heads) {
            const QRect tile = canvas.tileRect(head).toRect();
            CHECK((with.copy(tile) != without.copy(tile)) == (isLarge && sinks.contains(head)));
        }
        content.sinks = sinks;
        canvas.setContent(content);
    }
}

TEST_CASE("the colours of kinds differ for every eye, in both themes")
{
    for (const bool isDark : {false, true}) {
        QPalette palette;
        palette.setColor(QPalette::Base, isDark ? QColor(0x1e, 0x1e, 0x1e) : Qt::white);
        palette.setColor(QPalette::Text, isDark ? Qt::white : QColor(0x1e, 0x1e, 0x1e));
        const grid::Inks inks = grid::Inks::of(palette);
        for (const int missing : {0, 1, 2})
            for (const auto& [one, word] : stats::enumWords(stats::HeadKind()))
                for (const auto& [other, otherWord] : stats::enumWords(stats::HeadKind())) {
                    if (one == other)
                        continue;
                    const auto a = seen(grid::kindColour(one, inks), missing);
                    const auto b = seen(grid::kindColour(other, inks), missing);
                    const double apart = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
                    INFO(word << " and " << otherWord << " with cones missing: " << missing);
                    CHECK(apart > 0.15);
                }
    }
}
