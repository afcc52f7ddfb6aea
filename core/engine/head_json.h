#pragma once

#include "base/head_id.h"
#include "base/json_reader.h"

#include <string>

namespace hs {

/// Pieces that the JSON of several analyses is made of.
inline constexpr int kMostLayers = 10000;  // and heads of a layer; more is no model
inline constexpr int kMostTokens = 1 << 24;

JsonReader readerOf(const Json& json, const std::string& what);

Json toJson(const HeadShape& shape);
HeadShape shapeFrom(const JsonReader& reader);

/// A row that begins with a head.
Json headRow(HeadId head);
HeadId headFrom(const JsonReader& row, const HeadShape& shape);
/// The same of a model that is not known.
HeadId headFrom(const JsonReader& row);

}  // namespace hs
