#pragma once

#include "train/batch.h"

#include <string>
#include <vector>

namespace hs::train {

/// How a model does on the held-out rows of one group.
struct GroupMeasure {
    std::string name;
    double crossEntropy = 0;  // nats per token, by the rows' weights
    double divergence = 0;    // KL(dense || this); 0 without a dense model to compare with
    double score = 0;         // mean over answers: 1 if the likeliest token is right, or, where several
                              // are right, their probability; NaN where the group has no answers
    std::int64_t answers = 0;
    /// Share of tokens, by their weights, after which both models find the same one likeliest.
    double agreement = 1;
};

/// How a model does on all held-out rows.
struct HeldOutMeasure {
    std::vector<GroupMeasure> groups;
    double crossEntropy = 0;  // mean of the groups
    double divergence = 0;
    double density = 1;               // open share of all heads' causal cells
    std::vector<double> headDensity;  // [layer * head] the same of each head
    double expectedDensity = 1;       // mean probability of being open if gates were drawn at random
    int heads = 0;                    // of the model
    int headsEverActive = 0;          // with an open cell on any row
    int mostHeadsActive = 0;          // on one row
    double meanHeadsActive = 0;       // per row
};

/// Two models on the same rows, the second compared with the first.
struct PairMeasure {
    HeldOutMeasure dense;
    HeldOutMeasure sparse;
};

/// How a sparse model does on rows of one length: the longer a row, the smaller the share of its cells that
/// is needed.
struct LengthMeasure {
    int length = 0;  // tokens
    double density = 1;
    double divergence = 0;
    int mostHeadsActive = 0;  // on one row
};

}  // namespace hs::train
