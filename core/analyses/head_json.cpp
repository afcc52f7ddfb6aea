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

Json headRow(HeadId head)
{
    return {{"layer", head.layer}, {"head", head.head}};
}

HeadId headFrom(const JsonReader& row, const HeadShape& shape)
{
    return {row["layer"].integer(0, shape.layers - 1), row["head"].integer(0, shape.heads - 1)};
}

}  // namespace hs::analyses
