#pragma once

namespace hs::render {

/// In which order tiles fill a grid.
struct TileFlow {
    enum class Kind {
        LayersDown,    // a row for each layer, a column for each head; the next block to the right
        LayersAcross,  // a column for each layer, a row for each head; the next block below
        Wrapped,       // one head after another, row after row
    };
    Kind kind = Kind::LayersDown;
    int count = 1;         // blocks that share the layers; of a wrapped list: columns
    bool hasMlps = false;  // behind the last head of each layer is room for a slim tile of its MLP

    friend bool operator==(const TileFlow&, const TileFlow&) = default;
};

}  // namespace hs::render
