#include "grid/full_maps.h"

#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "support/catch.h"
#include "ui/explorer_under_test.h"
#include "ui/grid/pointer.h"

#include <QtTest>

using namespace hs;
using namespace hs::test;

namespace {

/// Half as many cells per side as tokens, as an engine gives for long prompts.
engine::RunResult pooled(engine::RunResult run)
{
    const auto pyramid = render::TilePyramid::of(run);
    run.tileRows = run.tileColumns = pyramid->rows(1);
    const auto cells = static_cast<std::size_t>(run.tileRows) * static_cast<std::size_t>(run.tileRows);
    for (int layer = 0; layer < run.heads.layers; ++layer) {
        const std::shared_ptr<std::uint8_t[]> tiles(
            new std::uint8_t[static_cast<std::size_t>(run.heads.heads) * cells]);
        for (int head = 0; head < run.heads.heads; ++head)
            std::copy_n(pyramid->tile({layer, head}, 1), cells,
                        tiles.get() + static_cast<std::size_t>(head) * cells);
        run.tiles[static_cast<std::size_t>(layer)] = tiles;
    }
    return run;
}

class PoolingBackend : public FakeBackend {
public:
    Result<service::SideResult> run(Side side, const service::SideRequest& request, const Hooks& hooks,
                                    const service::OnRunPart& onPart) override
    {
        return guarded([&] {
            service::SideResult run = orThrow(FakeBackend::run(side, request, hooks, onPart));
            run.after = pooled(run.after);
            run.before = pooled(run.before);
            run.kinds = service::kindsOf(run.after);
            return run;
        });
    }
};

}  // namespace

TEST_CASE("a tile larger than its cells is drawn from full maps once they are there")
{
    control::Explorer explorer(std::make_unique<PoolingBackend>(), {});
    grid::HeadGrids grids(explorer);
    grids.resize(1100, 600);
    grids.show();
    control::Document document;
    control::setPrompt(
        document, QStringLiteral("one two three four five six seven eight nine ten eleven twelve a b c"));
    document.side(Side::Left).model = document.side(Side::Right).model = QStringLiteral("fake:4x6");
    explorer.reset(document);
    waitUntilIdle(explorer);
    REQUIRE(explorer.state(Side::Left).run->tiles->pattern().keys == 16);
    REQUIRE(explorer.state(Side::Left).run->tiles->rows() == 8);

    grid::Canvas& canvas = grids.grid(Side::Left).canvas();
    CHECK(canvas.pooling() == QSize(2, 2));
    CHECK(grids.grid(Side::Left).caption().contains(QStringLiteral("pooled by maximum")));
    CHECK(QTest::qWaitFor([&] { return canvas.content().fullMaps.size() == 24; }));
    CHECK(canvas.pooling() == QSize(1, 1));
    CHECK_FALSE(grids.grid(Side::Left).caption().contains(QStringLiteral("pooled")));

    const engine::LayerMap map = explorer.map({Side::Left, 2, engine::MapKind::Weights, false});
    REQUIRE(map);
    const QList<QRgb> colours = render::ColourMap::named(document.look.colourMap).table(document.look.scale);
    const QImage image = picture(canvas);
    for (int query = 0; query < 16; ++query)
        for (int key = 0; key <= query; ++key) {
            const float weight =
                map[(1 * 16 + static_cast<std::size_t>(query)) * 16 + static_cast<std::size_t>(key)];
            const int level = static_cast<int>(std::lround(255 * weight));
            CHECK(image.pixel(cellCentre(canvas, {2, 1}, query, key).toPoint()) == colours[level]);
        }
}
