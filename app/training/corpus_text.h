#pragma once

#include "engine/load/open_model.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hs::app {

/// A text that a model reads in rows, each a function of its number, so that none need be kept.
struct CorpusText {
    std::int64_t rows = 0;
    int length = 0;                                              // tokens of the longest row
    std::function<std::vector<std::int64_t>(std::int64_t)> row;  // token ids
};

/// The first tokens of a text file, in rows of at most `length` that begin with the token that starts a text, if there is
/// one and `hasFirst` asks for it. Throws Failure.
CorpusText corpusText(const engine::Workspace& workspace, const std::string& file, int length,
                      std::int64_t mostTokens, bool hasFirst = true);

}  // namespace hs::app
