#pragma once

#include "render/matched_tiles.h"
#include "render/tile_pyramid.h"

#include <QString>

#include <memory>
#include <optional>

namespace hs::control {

/// A run as it is subtracted.
struct Subtracted {
    std::shared_ptr<const engine::RunResult> run;
    std::shared_ptr<const render::TokenPlaces>
        places;  // of the tokens shown, in the run; null: they are its own
};

/// Two runs of the same heads to subtract from each other, over the same tokens or over those that stand for each other, or
/// why there are none.
struct RunPair {
    Subtracted after;
    Subtracted before;
    QString problem;
};

/// after - before; white where a token has no counterpart.
std::shared_ptr<const render::TilePyramid> differenceOf(const RunPair& pair);

/// What a cell of the tokens shown has changed by, as near as tiles know; none where a token has no counterpart.
std::optional<double> changeAt(const RunPair& pair, HeadId head, int query, int key);

}  // namespace hs::control
