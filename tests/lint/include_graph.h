#pragma once

#include "lint/include_rules.h"

#include <map>
#include <string>
#include <vector>

namespace hs::lint {

/// Which folder includes which, with one include that shows it. [folder][folder]
using IncludeGraph = std::map<std::string, std::map<std::string, Include>>;

/// The folders of the product with what they include of each other; tests are left out.
IncludeGraph folderGraph(const std::vector<Include>& includes);

/// Circles of folders that include each other, with an include of each step; none only if there is none.
Findings checkCycles(const IncludeGraph& graph);

/// The graph as text: layers from the lowest up, each folder with those that it includes.
std::string printedLayers(const IncludeGraph& graph);

}  // namespace hs::lint
