#include "engine/head_json.h"

namespace hs {

JsonReader readerOf(const Json& json, const std::string& what)
{
    return {json, what, "make it again"};
}

Json toJson(const HeadShape& shape)
{
    return {{"layers", shape.layers}, {"heads", shape.heads}, {"kv_heads", shape.kvHeads}};
}

HeadShape shapeFrom(const JsonReader& reader)
{
    HeadShape shape;
    shape.layers = reader.integer("layers", 1, kMostLayers);
    shape.heads = reader.integer("heads", 1, kMostLayers);
    shape.kvHeads = reader.integer("kv_heads", 1, shape.heads);
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
    return {row.integer("layer", 0, shape.layers - 1), row.integer("head", 0, shape.heads - 1)};
}

HeadId headFrom(const JsonReader& row)
{
    return headFrom(row, {kMostLayers, kMostLayers, kMostLayers});
}

}  // namespace hs
