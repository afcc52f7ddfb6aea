#pragma once

#include "control/document/document.h"
#include "render/tile_pyramid.h"
#include "service/backend.h"

#include <functional>
#include <memory>
#include <utility>

namespace hs::control {

/// What one side shows: a run and its picture. Immutable; made on the worker thread.
struct SideRun : service::SideResult {
    std::shared_ptr<const render::TilePyramid> tiles;  // for `after`

    SideRun() = default;
    explicit SideRun(service::SideResult result)
        : SideResult(std::move(result)), tiles(render::TilePyramid::of(after))
    {
    }
};

/// Along which a map has tokens: rows are queries, columns are keys.
enum class Axis { Query, Key };

inline const std::vector<text::Token>& tokensOf(const service::SideResult& run, Axis axis)
{
    return axis == Axis::Query ? run.tokens : run.tokensOfKeys();
}

/// The maps that tiles show; none: a difference of weights.
constexpr std::optional<engine::MapKind> mapKindOf(TileValue value)
{
    switch (value) {
    case TileValue::Weights: return engine::MapKind::Weights;
    case TileValue::ValueWeighted: return engine::MapKind::ValueWeighted;
    case TileValue::Scores: return engine::MapKind::Scores;
    case TileValue::BetweenSides:
    case TileValue::AfterAblation:
    case TileValue::SinceKept: break;
    }
    return std::nullopt;
}

}  // namespace hs::control
