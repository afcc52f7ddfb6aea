#include "engine/analysis_json.h"
#include "engine/analysis_words.h"
#include "engine/head_json.h"
#include "engine/reading_columns.h"

namespace hs {
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

Json toJson(const VariantReading& reading)
{
    Json json;
    for (const ReadingColumn& column : kReadingColumns)
        json[column.name] = numberOrNull(reading.*column.value);
    return json;
}

VariantReading readingFrom(const JsonReader& reader)
{
    VariantReading reading;
    for (const ReadingColumn& column : kReadingColumns)
        reading.*column.value = reader.number(column.name);
    return reading;
}

}  // namespace

Json toJson(const Sweep& sweep)
{
    Json changes = Json::array();
    for (std::size_t unit = 0; unit < sweep.units.size(); ++unit) {
        Json row = toJson(sweep.changes[unit]);
        row["layer"] = sweep.units[unit].layer;
        if (const char* const name = indexName(sweep.kind))
            row[name] = sweep.units[unit].index;
        changes.push_back(std::move(row));
    }
    return {{"shape", toJson(sweep.shape)},
            {"units", wordOf(sweep.kind)},
            {"method", wordOf(sweep.method)},
            {"baseline", toJson(sweep.baseline)},
            {"changes", std::move(changes)}};
}

Sweep sweepFrom(const Json& json, const std::string& what)
{
    const JsonReader reader = readerOf(json, what);
    Sweep sweep;
    sweep.shape = shapeFrom(reader.object("shape"));
    sweep.kind = static_cast<SweepUnits>(reader.word("units", kSweepUnitWords));
    sweep.method = static_cast<SweepMethod>(reader.word("method", kSweepMethodWords));
    sweep.baseline = readingFrom(reader.object("baseline"));
    const int perLayer = unitsPerLayer(sweep.kind, sweep.shape);
    const auto count = static_cast<std::size_t>(sweep.shape.layers) * static_cast<std::size_t>(perLayer);
    for (const Json& change : reader.list("changes", count)) {
        const JsonReader row = reader.item(change);
        const int number = static_cast<int>(sweep.units.size());
        const SweepUnit unit{number / perLayer, number % perLayer};
        row.integer("layer", unit.layer, unit.layer);  // the model's order is the only one
        if (const char* const name = indexName(sweep.kind))
            row.integer(name, unit.index, unit.index);
        sweep.units.push_back(unit);
        sweep.changes.push_back(readingFrom(row));
    }
    return sweep;
}

}  // namespace hs
