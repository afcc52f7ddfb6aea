#pragma once

#include "figures/parts/tile_panel.h"

namespace hs::figures {

/// The heads that carry a share of the target's logit on one side, each with the cell it reads.
struct AttributionSide {
    TilePanel carrying;                 // strongest first
    std::vector<double> contributions;  // [head] to the target's logit (difference)
    double share = 0;                   // of the whole, carried by these heads together
    int candidates = 0;                 // heads with any contribution
};

/// What the target is read from: a token, and the layers in which heads read it, or what fires at that token, and
/// the layers it is in.
struct AttributionSource {
    int position = 0;
    int firstLayer = 0;
    int lastLayer = 0;
    double share = 0;          // of the absolute contributions
    int heads = 0;             // that carry them
    QString name = {};         // of what fires there; empty: the token
    bool isEmbedding = false;  // nothing but the token's embedding, which is in no layer
};

/// Where a token's logit comes from: token strip, sources with their layer spans, target, the carrying
/// heads and the arrow between them.
struct AttributionFigure {
    std::vector<AttributionSide> sides;      // the last one's sources are drawn below
    std::vector<QString> tokens;             // texts of the prompt
    int position = 0;                        // the query that predicts
    std::vector<AttributionSource> sources;  // the arrow starts at the first one
    std::optional<int> arrowTo = {};         // position of the source at which it ends; none: at the target
    QString target;
    double probability = 0;  // of the target at `position`
    QString caption;
};

Drawing draw(const AttributionFigure& figure, const Form& form);
DataTable table(const AttributionFigure& figure);

}  // namespace hs::figures
