#include "analyses/cell_sweep.h"

#include "analyses/reading_columns.h"
#include "base/failure.h"
#include "engine/load/model.h"

#include <algorithm>
#include <cmath>

namespace hs::analyses {
namespace {

/// The cells of a head that carry something, the strongest first.
std::vector<SweptCell> carryingCells(engine::Engine& engine, const CellSweepRequest& request,
                                     const Hooks& hooks)
{
    const engine::LayerMap maps = orThrow(
        engine.layerMaps(request.run, request.head.layer, engine::MapKind::Weights, Hooks{{}, hooks.stop}));
    const auto length = static_cast<int>(request.run.tokens.size());
    const float* const pattern =
        maps.get() + static_cast<std::ptrdiff_t>(request.head.head) * length * length;
    std::vector<SweptCell> cells;
    for (int query = 0; query < length; ++query)
        for (int key = 0; key <= query; ++key)
            if (const double weight = pattern[static_cast<std::ptrdiff_t>(query) * length + key]; weight > 0)
                cells.push_back({{query, key}, weight, {}});
    std::ranges::stable_sort(cells, std::ranges::greater(), &SweptCell::weight);
    return cells;
}

}  // namespace

Result<CellSweep> sweepCells(engine::Engine& engine, const CellSweepRequest& request, const Hooks& hooks)
{
    return guarded([&] {
        if (!request.run.model)
            fail(ErrorCode::BadRequest, "There is no model to run; open one first.");
        if (!request.run.model->spec().headShape().contains(request.head))
            fail(ErrorCode::BadRequest,
                 "There is no head " + toString(request.head) + " in this model; choose another.");
        if (request.method.kind == CellMethod::Kind::Replace || !request.method.isValid())
            fail(ErrorCode::BadRequest,
                 "Cells that are swept carry nothing, a share of what they did, or the "
                 "rest of their row grows; choose one of these.");
        if (isSwitchedOff(request.run.ablations, request.head))
            fail(ErrorCode::BadRequest, toString(request.head) +
                                            " is ablated, so its cells carry nothing; do "
                                            "not ablate it.");
        CellSweep swept;
        swept.head = request.head;
        swept.method = request.method;
        swept.cells = carryingCells(engine, request, hooks);
        const auto kept = std::min(swept.cells.size(), static_cast<std::size_t>(std::max(request.most, 0)));
        swept.leftOut = static_cast<int>(swept.cells.size() - kept);
        swept.cells.resize(kept);
        engine::VariantRequest variants{request.run, {}, request.target, request.versus};
        variants.run.capture = {};
        variants.run.capture.tileSide = 1;
        variants.run.capture.position = request.run.capture.position;
        for (const SweptCell& cell : swept.cells) {
            engine::HeadAblation cut;
            cut.kind = HeadChange::Kind::Cells;
            cut.edits = {{blockOf(cell.cell), request.method}};
            variants.variants.push_back({{request.head, std::move(cut)}});
        }
        const engine::VariantResult readings = orThrow(engine.runVariants(variants, hooks));
        swept.baseline = readings.baseline;
        for (std::size_t index = 0; index < kept; ++index)
            for (const ReadingColumn& column : kReadingColumns)
                swept.cells[index].change.*column.value =
                    readings.variants[index].*column.value - readings.baseline.*column.value;
        std::ranges::stable_sort(swept.cells, std::ranges::greater(),
                                 [](const SweptCell& cell) { return std::abs(cell.change.logitDifference); });
        return swept;
    });
}

}  // namespace hs::analyses
