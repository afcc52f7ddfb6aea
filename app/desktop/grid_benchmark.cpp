#include "app/desktop/grid_benchmark.h"

#include "grid/head_grid.h"

#include <QApplication>
#include <QBoxLayout>
#include <QElapsedTimer>
#include <QMouseEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace hs::app {
namespace {

constexpr HeadShape kGridHeads = {32, 32, 32};
constexpr int kTileSide = 128;  // cells that tiles of long prompts are pooled to
constexpr QSize kWindow(1600, 1000);
constexpr int kFrames = 120;

/// Heads like those of models: a share of all cells is lit, rows end at the diagonal.
engine::RunResult madeUpHeads(unsigned seed, double litShare, int tokens)
{
    std::minstd_rand random(seed);
    engine::RunResult run;
    run.heads = kGridHeads;
    run.tokens.assign(static_cast<std::size_t>(tokens), 0);
    run.tileRows = run.tileColumns = kTileSide;
    constexpr std::size_t kSide = kTileSide;
    for (int layer = 0; layer < kGridHeads.layers; ++layer) {
        const std::shared_ptr<std::uint8_t[]> tiles(
            new std::uint8_t[static_cast<std::size_t>(kGridHeads.heads) * kSide * kSide]());
        for (std::size_t head = 0; head < static_cast<std::size_t>(kGridHeads.heads); ++head)
            for (std::size_t query = 0; query < kSide; ++query)
                for (std::size_t key = 0; key <= query; ++key) {
                    const double draw =
                        static_cast<double>(random()) / static_cast<double>(std::minstd_rand::max());
                    if (draw < litShare)
                        tiles[(head * kSide + query) * kSide + key] =
                            static_cast<std::uint8_t>(255 * draw / litShare);
                }
        run.tiles.push_back(tiles);
    }
    return run;
}

/// Two grids side by side with one zoom, as HeadGrids links them.
class Pair {
public:
    explicit Pair(int tokens)
    {
        auto* row = new QHBoxLayout(&m_window);
        row->setContentsMargins(0, 0, 0, 0);
        for (std::size_t side = 0; side < m_grids.size(); ++side) {
            m_grids[side] = new grid::HeadGrid(&m_window);
            row->addWidget(m_grids[side]);
            grid::Content content;
            content.title = QStringLiteral("Made up");
            content.tiles = render::TilePyramid::of(
                madeUpHeads(7 + static_cast<unsigned>(side), side == 0 ? 1.0 : 0.01, tokens));
            for (int index = 0; index < kGridHeads.total(); ++index)
                content.heads.push_back(kGridHeads.at(index));
            content.ablated = {{3, 4}, {20, 11}};
            m_grids[side]->setContent(std::move(content));
        }
        m_window.setAttribute(Qt::WA_DontShowOnScreen);
        m_window.resize(kWindow);
        m_window.show();
        QCoreApplication::processEvents();
    }

    grid::Canvas& canvas(std::size_t side) { return m_grids[side]->canvas(); }

    void setZoom(const control::GridZoom& zoom)
    {
        for (grid::HeadGrid* grid : m_grids)
            grid->canvas().setZoom(zoom);
    }

    /// What HeadGrids does when the pointer moves: the same cell in both grids.
    void hover(QPointF at)
    {
        QMouseEvent move(QEvent::MouseMove, at, canvas(0).mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        std::optional<grid::TileCell> cell;
        const auto connection =
            QObject::connect(&canvas(0), &grid::Canvas::cellHovered,
                             [&cell](const std::optional<grid::TileCell>& hovered) { cell = hovered; });
        QCoreApplication::sendEvent(&canvas(0), &move);
        QObject::disconnect(connection);
        for (std::size_t side = 0; side < m_grids.size(); ++side) {
            grid::Marks marks;
            if (cell) {
                marks.hoveredQuery = cell->query;
                marks.hoveredKey = cell->key;
                if (side == 0)
                    marks.hoveredHead = cell->head;
            }
            canvas(side).setMarks(std::move(marks));
        }
    }

    /// Draws what has changed, as the next frame would.
    void drawNow()
    {
        for (grid::HeadGrid* grid : m_grids)
            grid->canvas().repaint();
    }

private:
    QWidget m_window;
    std::array<grid::HeadGrid*, 2> m_grids{};
};

template <class Step>
std::vector<double> timed(Pair& pair, int frames, Step step)
{
    std::vector<double> milliseconds;
    for (int frame = 0; frame < frames; ++frame) {
        QElapsedTimer timer;
        timer.start();
        step(frame);
        pair.drawNow();
        milliseconds.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    return milliseconds;
}

void report(std::vector<bench::Measurement>& all, const char* act, int tokens,
            const std::vector<double>& sorted, double goal)
{
    const std::string name = "ui_" + std::string(act) + "_" + std::to_string(tokens);
    const auto at = [&](double share) {
        return sorted[static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size()))) - 1];
    };
    all.push_back({name + "_p50", at(0.5), "ms", "2 x 1,024 heads, " + std::to_string(tokens) + " tokens"});
    all.push_back({name + "_p95", at(0.95), "ms", "goal: " + std::to_string(static_cast<int>(goal))});
    all.push_back({name + "_max", sorted.back(), "ms", "of " + std::to_string(sorted.size()) + " frames"});
}

}  // namespace

std::vector<bench::Measurement> benchmarkGrid(int tokens)
{
    std::vector<bench::Measurement> all;
    Pair pair(tokens);
    const control::GridZoom fit = pair.canvas(0).geometryNow().zoom();
    pair.drawNow();

    const auto panned = [&](double factor) {
        return timed(pair, kFrames, [&](int frame) {
            const double angle = 6.283185307 * frame / kFrames;
            pair.setZoom({fit.tileSide * factor, {16 + 9 * std::cos(angle), 16 + 9 * std::sin(angle)}});
        });
    };
    std::vector<double> pans = panned(1.2);
    for (const double factor : {2.0, 4.0}) {
        const std::vector<double> more = panned(factor);
        pans.insert(pans.end(), more.begin(), more.end());
    }
    std::sort(pans.begin(), pans.end());
    report(all, "pan", tokens, pans, 16);

    const double largest = 800 / fit.tileSide;
    report(all, "zoom", tokens,
           timed(pair, 2 * kFrames,
                 [&](int frame) {
                     const double share = 1 - std::abs(frame - kFrames) / static_cast<double>(kFrames);
                     pair.setZoom({fit.tileSide * std::pow(largest, share), {9.45, 12.45}});
                 }),
           16);

    std::vector<double> hovers;
    for (const double factor : {0.0, 3.0, 12.0}) {
        pair.setZoom(factor > 0 ? control::GridZoom{fit.tileSide * factor, {16, 16}} : control::GridZoom{});
        pair.drawNow();
        const std::vector<double> part =
            timed(pair, kFrames, [&](int frame) { pair.hover({20.5 + frame * 6.1, 30.5 + frame * 5.3}); });
        hovers.insert(hovers.end(), part.begin(), part.end());
    }
    std::sort(hovers.begin(), hovers.end());
    report(all, "hover", tokens, hovers, 8);
    return all;
}

}  // namespace hs::app
