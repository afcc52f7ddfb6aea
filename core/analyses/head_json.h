#pragma once

#include "base/head_id.h"
#include "base/json_reader.h"

namespace hs::analyses {

/// Pieces that the JSON of several analyses is made of.
inline constexpr int kMostLayers = 10000;  // and heads of a layer; no model has more
inline constexpr int kMostTokens = 1 << 24;

Json toJson(const HeadShape& shape);
HeadShape shapeFrom(const JsonReader& reader);

/// A head's number in its layer, or the name of an MLP; and what has it.
Json indexOf(HeadId unit);
HeadId unitFrom(const JsonReader& layer, const JsonReader& index, const HeadShape& shape);

/// A row that begins with a head or an MLP.
Json headRow(HeadId head);
HeadId headFrom(const JsonReader& row, const HeadShape& shape = {kMostLayers, kMostLayers, kMostLayers});
HeadId unitFrom(const JsonReader& row, const HeadShape& shape = {kMostLayers, kMostLayers, kMostLayers});

}  // namespace hs::analyses
