#pragma once

#include "analyses/head_tree.h"

#include <string>
#include <vector>

namespace hs::app {

/// Where an example's largest weight is, first keys left out: as its page says, or as its cells do.
struct MostCell {
    int query = 0;
    int key = 0;
};
MostCell mostOf(const JsonReader& example);

/// A space where tokens are words, which have none of their own, and nothing elsewhere.
std::string betweenTokens(const JsonReader& tokens);

/// "the first token 71 %, itself 12 %": what counts, the largest first.
std::string sharesText(const JsonReader& shares);

/// A head's page for a terminal, with so many examples and tokens of each sort at most. Throws Failure.
std::string headPageText(const analyses::HeadTree& tree, HeadId head, int most);

/// All heads of a tree, a line each.
std::string headTreeText(const analyses::HeadTree& tree);

/// The heads of two trees, those that differ most first.
std::string headDifferenceText(const analyses::HeadTree& first, const analyses::HeadTree& second,
                               const std::vector<analyses::HeadTreeDifference>& differences);

}  // namespace hs::app
