#include "analyses/analysis_json.h"
#include "analyses/head_json.h"
#include "analyses/reading_columns.h"

namespace hs::analyses {
namespace {

std::size_t unitsPerLayer(SweepUnits units, const HeadShape& shape)
{
    return unitsOf(units, {1, shape.heads, shape.kvHeads}).size();
}

/// What a unit's index in its layer is called; null for a layer, which has none.
const char* indexName(SweepUnits units)
{
    switch (units) {
    case SweepUnits::Heads:
    case SweepUnits::HeadsAndMlps: break;
    case SweepUnits::Groups: return "kv_group";
    case SweepUnits::Layers: return nullptr;
    }
    return "head";
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

/// The model's order is the only one.
void requireUnit(const JsonReader& row, const SweepUnit& unit, SweepUnits kind)
{
    row["layer"].integer(unit.layer, unit.layer);
    const char* const name = indexName(kind);
    if (name && row[name].json() != indexOf({unit.layer, unit.index}))
        row[name].refuse(indexOf({unit.layer, unit.index}).dump());
}

}  // namespace

Json toJson(const SweepUnit& unit, SweepUnits kind)
{
    Json json = {{"layer", unit.layer}};
    if (const char* const name = indexName(kind))
        json[name] = indexOf({unit.layer, unit.index});
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
    // Counted before they are listed: a shape may claim more units than memory holds.
    const auto rows = reader["changes"].items(static_cast<std::size_t>(sweep.shape.layers) *
                                              unitsPerLayer(sweep.kind, sweep.shape));
    sweep.units = unitsOf(sweep.kind, sweep.shape);
    for (const JsonReader& row : rows) {
        requireUnit(row, sweep.units[sweep.changes.size()], sweep.kind);
        sweep.changes.push_back(readingFrom(row));
    }
    return sweep;
}

}  // namespace hs::analyses
