#include "analyses/analysis_json.h"
#include "analyses/head_json.h"
#include "analyses/reading_columns.h"

namespace hs::analyses {
namespace {

int unitsPerLayer(SweepUnits units, const HeadShape& shape)
{
    return units == SweepUnits::Heads ? shape.heads : units == SweepUnits::Groups ? shape.kvHeads : 1;
}

/// What a unit's index in its layer is called; null for a layer, which has none.
const char* indexName(SweepUnits units)
{
    return units == SweepUnits::Heads ? "head" : units == SweepUnits::Groups ? "kv_group" : nullptr;
}

Json toJson(const engine::VariantReading& reading)
{
    Json json;
    for (const ReadingColumn& column : kReadingColumns)
        json[column.name] = numberOrNull(reading.*column.value);
    return json;
}

engine::VariantReading readingFrom(const JsonReader& reader)
{
    engine::VariantReading reading;
    for (const ReadingColumn& column : kReadingColumns)
        reading.*column.value = reader[column.name].numberOrNaN();
    return reading;
}

}  // namespace

Json toJson(const SweepUnit& unit, SweepUnits kind)
{
    Json json = {{"layer", unit.layer}};
    if (const char* const name = indexName(kind))
        json[name] = unit.index;
    return json;
}

Json toJson(const Sweep& sweep)
{
    Json changes = Json::array();
    for (std::size_t unit = 0; unit < sweep.units.size(); ++unit) {
        Json row = toJson(sweep.units[unit], sweep.kind);
        row.update(toJson(sweep.changes[unit]));
        changes.push_back(std::move(row));
    }
    return {{"shape", toJson(sweep.shape)},
            {"units", wordOf(sweep.kind)},
            {"method", wordOf(sweep.method)},
            {"baseline", toJson(sweep.baseline)},
            {"changes", std::move(changes)}};
}

Json toJson(const CellSweep& sweep)
{
    Json cells = Json::array();
    for (const SweptCell& swept : sweep.cells) {
        Json row = toJson(swept.change);
        row["query"] = swept.cell.query;
        row["key"] = swept.cell.key;
        row["weight"] = swept.weight;
        cells.push_back(std::move(row));
    }
    return {{"head", toString(sweep.head)},
            {"method", toString(sweep.method)},
            {"baseline", toJson(sweep.baseline)},
            {"cells", std::move(cells)},
            {"left_out", sweep.leftOut}};
}

Sweep sweepFrom(const JsonReader& reader)
{
    Sweep sweep;
    sweep.shape = shapeFrom(reader["shape"]);
    sweep.kind = reader["units"].word<SweepUnits>();
    sweep.method = reader["method"].word<SweepMethod>();
    sweep.baseline = readingFrom(reader["baseline"]);
    const int perLayer = unitsPerLayer(sweep.kind, sweep.shape);
    const auto count = static_cast<std::size_t>(sweep.shape.layers) * static_cast<std::size_t>(perLayer);
    for (const JsonReader& row : reader["changes"].items(count)) {
        const int number = static_cast<int>(sweep.units.size());
        const SweepUnit unit{number / perLayer, number % perLayer};
        row["layer"].integer(unit.layer, unit.layer);  // the model's order is the only one
        if (const char* const name = indexName(sweep.kind))
            row[name].integer(unit.index, unit.index);
        sweep.units.push_back(unit);
        sweep.changes.push_back(readingFrom(row));
    }
    return sweep;
}

}  // namespace hs::analyses
