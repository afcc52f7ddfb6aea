#pragma once

#include "service/side_request.h"

#include <QString>

#include <vector>

namespace hs::grid {

/// Other maps of the file that a side shows: a block, or an item of its batch.
struct BlockChoice {
    QString name;
    QString source;
    bool isItem = false;  // of the block shown
    bool isShown = false;

    friend bool operator==(const BlockChoice&, const BlockChoice&) = default;
};

/// All of them, those shown included; empty if there is no choice, or it is a model.
std::vector<BlockChoice> blockChoices(const service::OpenModel* model);

}  // namespace hs::grid
