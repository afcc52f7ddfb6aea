#include "app/desktop/figure_benchmark.h"

#include "figures/files/figure_file.h"
#include "figures/presets/grid_figure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

namespace hs::app {
namespace {

constexpr int kFigureTokens = 64;
constexpr int kColumns = 16;
constexpr int kFigureRounds = 7;
constexpr double kWidth = 406.4;  // mm, 16 inches

/// Rows of fourth powers of exponential draws, on and below the diagonal, which sum to 1.
/// [head, query, key]
std::vector<float> madeUpMaps(int heads, unsigned seed)
{
    std::mt19937 random(seed);
    constexpr std::size_t kSide = kFigureTokens;
    std::vector<float> maps(static_cast<std::size_t>(heads) * kSide * kSide);
    for (std::size_t row = 0; row < maps.size() / kSide; ++row) {
        float* const weights = maps.data() + row * kSide;
        const std::size_t keys = row % kSide + 1;
        double sum = 0;
        for (std::size_t key = 0; key < keys; ++key) {
            const double draw = -std::log1p(-static_cast<double>(random()) / 4294967296.0);
            weights[key] = static_cast<float>(std::pow(draw, 4));
            sum += weights[key];
        }
        std::for_each(weights, weights + keys, [sum](float& weight) { weight /= static_cast<float>(sum); });
    }
    return maps;
}

figures::TilePanel panelOf(const char* title, int heads, const std::vector<float>& maps)
{
    figures::TilePanel panel;
    panel.title = QString::fromLatin1(title);
    panel.flow = {render::TileFlow::Kind::Wrapped, kColumns};
    engine::RunResult& run = panel.result;
    run.heads = {(heads + kColumns - 1) / kColumns * 2, kColumns, kColumns};
    run.tokens.assign(kFigureTokens, 0);
    run.tileRows = run.tileColumns = kFigureTokens;
    run.tiles.resize(static_cast<std::size_t>(run.heads.layers));
    constexpr std::size_t kCells = std::size_t{kFigureTokens} * kFigureTokens;
    for (std::size_t layer = 0; layer < run.tiles.size(); layer += 2) {
        const std::shared_ptr<std::uint8_t[]> tiles(new std::uint8_t[kColumns * kCells]());
        const std::size_t first = layer / 2 * kColumns * kCells;
        const std::size_t last = std::min(first + kColumns * kCells, maps.size());
        std::transform(maps.begin() + static_cast<std::ptrdiff_t>(first),
                       maps.begin() + static_cast<std::ptrdiff_t>(last), tiles.get(),
                       [](float weight) { return static_cast<std::uint8_t>(std::lround(255 * weight)); });
        run.tiles[layer] = tiles;
    }
    for (int head = 0; head < heads; ++head)
        panel.heads.push_back({head / kColumns * 2, head % kColumns});
    return panel;
}

}  // namespace

std::vector<bench::Measurement> benchmarkFigures()
{
    const std::vector<float> dense = madeUpMaps(256, 1);
    const std::vector<float> sparse = madeUpMaps(155, 2);
    figures::Form form;
    form.width = kWidth;
    const figures::Stamp stamp{QStringLiteral("Benchmark"), QStringLiteral("Made-up heads"), "{}"};
    constexpr std::pair<figures::Format, const char*> kFormats[] = {{figures::Format::Pdf, "figure_pdf"},
                                                                    {figures::Format::Svg, "figure_svg"},
                                                                    {figures::Format::Png, "figure_png"}};
    std::vector<bench::Measurement> all;
    for (const auto& [format, name] : kFormats) {
        std::vector<double> seconds;
        qsizetype bytes = 0;
        for (int round = 0; round < kFigureRounds; ++round) {
            const auto start = std::chrono::steady_clock::now();
            figures::GridFigure figure;
            figure.panels = {panelOf("Dense", 256, dense), panelOf("Sparse", 155, sparse)};
            bytes = figures::figureBytes(figures::draw(figure, form), format, stamp, {300, false}).size();
            seconds.push_back(
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
        std::nth_element(seconds.begin(), seconds.begin() + kFigureRounds / 2, seconds.end());
        const bool isPdf = format == figures::Format::Pdf;
        all.push_back({name, seconds[kFigureRounds / 2], "s",
                       std::string("256 + 155 heads, 64 tokens") + (isPdf ? "; goal: 0.5" : "")});
        all.push_back(
            {std::string(name) + "_size", static_cast<double>(bytes) / 1e6, "MB", isPdf ? "goal: 1" : ""});
    }
    return all;
}

}  // namespace hs::app
