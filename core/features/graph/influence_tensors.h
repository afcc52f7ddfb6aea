#pragma once

#include "engine/device/torch.h"

#include <vector>

namespace hs::features {

/// What a row of a graph is of.
struct RowTarget {
    int layer = 0;             // that of a feature; the number of layers for a logit
    std::int64_t column = -1;  // where the target is a source itself; -1 for a logit
    double weight = 0;         // of a logit
};

/// Rows of a graph as shares of what each target gets: |row| over its sum. [target, source] float
at::Tensor sharesOf(const at::Tensor& rows);

/// How much sources matter to the weighted logits over all paths: w(N + N² + …), which ends, as targets get
/// nothing from their own layer or later ones. `shares` is N. [source] double
at::Tensor influenceOf(const at::Tensor& shares, const std::vector<RowTarget>& targets);

}  // namespace hs::features
