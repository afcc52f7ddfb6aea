#include "analyses/head_json.h"

namespace hs::analyses {

Json toJson(const HeadShape& shape)
{
    return {{"layers", shape.layers}, {"heads", shape.heads}, {"kv_heads", shape.kvHeads}};
}

HeadShape shapeFrom(const JsonReader& reader)
{
    HeadShape shape;
    shape.layers = reader["layers"].integer(1, kMostLayers);
    shape.heads = reader["heads"].integer(1, kMostLayers);
    shape.kvHeads = reader["kv_heads"].integer(1, shape.heads);
    if (shape.heads % shape.kvHeads != 0)
        reader.bad("has heads that do not share key/value heads evenly");
    return shape;
}

Json indexOf(HeadId unit)
{
    return unit.isMlp() ? Json(kMlpName) : Json(unit.head);
}

HeadId unitFrom(const JsonReader& layer, const JsonReader& index, const HeadShape& shape)
{
    const int at = layer.integer(0, shape.layers - 1);
    if (!index || !index.json().is_string())
        return {at, index.integer(0, shape.heads - 1)};
    if (index.text() != kMlpName)
        index.refuse("a head's number, or \"MLP\"");
    return HeadId::mlpOf(at);
}

Json headRow(HeadId head)
{
    return {{"layer", head.layer}, {"head", indexOf(head)}};
}

HeadId headFrom(const JsonReader& row, const HeadShape& shape)
{
    return {row["layer"].integer(0, shape.layers - 1), row["head"].integer(0, shape.heads - 1)};
}

HeadId unitFrom(const JsonReader& row, const HeadShape& shape)
{
    return unitFrom(row["layer"], row["head"], shape);
}

}  // namespace hs::analyses
