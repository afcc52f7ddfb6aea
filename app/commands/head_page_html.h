#pragma once

#include "analyses/head_tree.h"

#include <string>
#include <vector>

namespace hs::app {

/// Heads' pages as one file for a browser, each head with its page in every tree, so many examples and tokens of each sort
/// at most. It asks for nothing else: no script, nothing from the network. Throws Failure.
std::string headPagesHtml(const std::vector<analyses::HeadTree>& trees, const std::vector<HeadId>& heads,
                          int most);

}  // namespace hs::app
