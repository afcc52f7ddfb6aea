#pragma once

#include "service/feature_graph.h"

namespace hs::test {

/// A made-up graph: at every token, in every layer but the last, a feature that its token makes and that adds to
/// the first of two logits and takes from the second; the feature of a layer also adds to that of the next layer at the
/// next token. Errors at the last token, and biases. Earlier layers matter more.
service::FeatureGraph madeUpGraph(const HeadShape& shape, const std::vector<std::int64_t>& tokens);

/// The index of a made-up feature.
constexpr std::int64_t madeUpFeature(int layer, int position)
{
    return 100 * position + layer;
}

}  // namespace hs::test
