#pragma once

#include "lint/include_rules.h"

#include <map>
#include <string>
#include <vector>

namespace hs::lint {

/// Which folder includes which, with one include as evidence. [folder][folder]
using IncludeGraph = std::map<std::string, std::map<std::string, Include>>;

/// The product's folders with what they include from each other; tests are left out.
IncludeGraph folderGraph(const std::vector<Include>& includes);

/// Circles of folders that include each other, with an include for each step; finds at least one if there is
/// any.
Findings checkCycles(const IncludeGraph& graph);

/// The graph as text: layers from the lowest up, each folder with those it includes.
std::string printedLayers(const IncludeGraph& graph);

}  // namespace hs::lint
