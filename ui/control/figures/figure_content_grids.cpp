#include "analyses/written_units.h"
#include "control/document/shown_heads.h"
#include "control/figures/figure_sources.h"
#include "render/grid_layout.h"
#include "render/pattern_words.h"
#include "render/translate.h"
#include "service/engine_need.h"

#include <algorithm>

namespace hs::control {
namespace {

constexpr int kRankedColumns = 10;
constexpr int kSampleColumns = 16;

/// Tiles per row of a matrix: the head numbers that occur.
int headNumbers(const std::vector<HeadId>& heads)
{
    std::set<int> numbers;
    for (const HeadId head : heads)
        numbers.insert(head.head);
    return static_cast<int>(numbers.size());
}

/// A list that leaves its columns open gets as many as a matrix beside it.
render::TileFlow flowOf(const FigureSources& sources, Side side, const std::vector<HeadId>& heads)
{
    const GridChoice& grid = sources.sideSpec(side).grid;
    if (grid.form == GridChoice::Form::Matrix || grid.columns > 0)
        return flowShown(grid, static_cast<int>(heads.size()));
    int usual = sources.spec().isStacked ? kRankedColumns : kSampleColumns;
    const Side other = otherSide(side);
    if (sources.run(other) && sources.sideSpec(other).grid.form == GridChoice::Form::Matrix)
        usual = headNumbers(sources.heads(other));
    return {render::TileFlow::Kind::Wrapped,
            std::clamp(static_cast<int>(heads.size()), 1, std::max(usual, 1))};
}

/// The key that heads attend to most from the last token, without that token and the first one.
CellId mostSharedCell(const FigureSources& sources)
{
    const engine::RunResult& run = sources.run(sources.sides().back())->after;
    const int columns = run.tileColumns;
    std::vector<int> sums(static_cast<std::size_t>(columns), 0);
    for (const HeadId head : run.heads.all()) {
        const std::uint8_t* const lastRow = run.tileOf(head) + (run.tileRows - 1) * columns;
        for (int key = 0; key < columns; ++key)
            sums[static_cast<std::size_t>(key)] += lastRow[key];
    }
    const int first = columns > 2 ? 1 : 0;
    const int last = columns > 2 && run.pattern().isSquare() ? columns - 1 : columns;
    const auto best = std::max_element(sums.begin() + first, sums.begin() + last);
    const int cell = static_cast<int>(best - sums.begin());
    return {run.queries() - 1, static_cast<int>(static_cast<std::int64_t>(cell) * run.keys() / columns)};
}

CellId cellOf(const FigureSources& sources)
{
    const FigureSpec& spec = sources.spec();
    const stats::PatternShape pattern = sources.pattern();
    CellId cell = mostSharedCell(sources);
    cell.query = spec.query.value_or(cell.query);
    cell.key = spec.key.value_or(pattern.isCausal ? std::min(cell.key, cell.query) : cell.key);
    if (!pattern.contains(cell.query, cell.key) && !pattern.isCausal)
        fail(ErrorCode::BadRequest, tr("Key %1 and query %2 are no cell of these maps: there are %3, both "
                                       "counted from 0; choose others.")
                                        .arg(cell.key)
                                        .arg(cell.query)
                                        .arg(render::patternWords(pattern))
                                        .toStdString());
    if (!pattern.contains(cell.query, cell.key))
        fail(ErrorCode::BadRequest,
             tr("Key %1 and query %2 are no cell of this prompt: its %3 tokens count from 0, and a query "
                "attends to keys up to itself; choose others.")
                 .arg(cell.key)
                 .arg(cell.query)
                 .arg(pattern.queries)
                 .toStdString());
    return cell;
}

/// Where heads are ranked, no place is behind those of a layer.
bool hasPlacesForMlps(const figures::TilePanel& panel)
{
    return panel.flow.kind != render::TileFlow::Kind::Wrapped ||
           render::HeadCounts::of(panel.heads).inLayer > 0;
}

bool canHaveMlps(const FigureSources& sources, Side side)
{
    return service::whyNoRun(*sources.sideRequest(side).model).empty();
}

figures::KeyQuerySide keyQuerySide(const FigureSources& sources, Side side, CellId cell)
{
    const std::vector<HeadId> heads = sources.heads(side);
    figures::KeyQuerySide result;
    result.all = sources.panel(side, heads, flowOf(sources, side, heads));
    result.all.mark = cell;
    const engine::RunResult& run = sources.run(side)->after;
    const std::vector<float> weights = sources.cellWeights(side, cell);
    const auto weightOf = [&](HeadId head) {
        return weights[static_cast<std::size_t>(run.heads.indexOf(head))];
    };
    for (const HeadId head : heads)
        if (weightOf(head) > 0 && weightOf(head) >= sources.spec().threshold)
            result.mapping.push_back(head);
    std::stable_sort(result.mapping.begin(), result.mapping.end(),
                     [&](HeadId a, HeadId b) { return weightOf(a) > weightOf(b); });
    for (const HeadId head : result.mapping)
        result.weights.push_back(weightOf(head));
    return result;
}

void addMlps(const FigureSources& sources, figures::GridFigure& figure)
{
    std::optional<Side> shown;
    for (std::size_t index = 0; index < figure.panels.size(); ++index) {
        const Side side = sources.sides()[index];
        figures::TilePanel& panel = figure.panels[index];
        if (!canHaveMlps(sources, side) || !hasPlacesForMlps(panel))
            continue;
        const std::map<HeadId, double> written = analyses::writtenByUnits(sources.attribution(side));
        panel.flow.hasMlps = true;
        panel.mostWritten = analyses::largestOf(written);
        for (const auto& [unit, value] : written)
            if (unit.isMlp())
                panel.mlps[unit.layer] = value;
        shown = side;
    }
    if (!shown)
        fail(ErrorCode::BadRequest,
             "MLPs stand behind the heads of their layer, and neither ranked heads nor maps from "
             "a file have such a place; keep the order of layers, or choose heads alone.");
    figure.caption +=
        tr(" Slim tiles, each behind its layer's last head: what the MLP adds to the logit of %1, red "
           "where it takes away; a full bar is the most that a head or an MLP does.")
            .arg(sources.targetWords(*shown));
}

}  // namespace

figures::GridFigure makeGridFigure(const FigureSources& sources)
{
    figures::GridFigure figure;
    figure.isStacked = sources.spec().isStacked;
    for (const Side side : sources.sides()) {
        const std::vector<HeadId> heads = sources.heads(side);
        figure.panels.push_back(sources.panel(side, heads, flowOf(sources, side, heads)));
    }
    figure.caption = tr("Attention weights (rows: queries, columns: keys) on %1.").arg(sources.promptWords());
    if (sources.spec().preset == FigurePreset::HeadGrid && sources.spec().units == Units::HeadsAndMlps)
        addMlps(sources, figure);
    return figure;
}

figures::KeyQueryFigure makeKeyQueryFigure(const FigureSources& sources)
{
    sources.requireSamePositions();
    figures::KeyQueryFigure figure;
    figure.cell = cellOf(sources);
    figure.threshold = sources.spec().threshold;
    figure.key = sources.tokenLabels(Axis::Key)[static_cast<std::size_t>(figure.cell.key)];
    figure.query = sources.tokenLabels(Axis::Query)[static_cast<std::size_t>(figure.cell.query)];
    for (const Side side : sources.sides())
        figure.sides.push_back(keyQuerySide(sources, side, figure.cell));
    figure.caption = tr("Heads whose weight from query to key is at least %1, on %2.")
                         .arg(figure.threshold)
                         .arg(sources.promptWords());
    return figure;
}

}  // namespace hs::control
