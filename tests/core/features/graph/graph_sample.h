#pragma once

#include "core/features/graph/made_coders.h"
#include "features/graph/graph.h"
#include "support/models.h"

namespace hs::test {

/// Asks for all of the graph of a short prompt.
inline features::GraphRequest wholeGraph(const std::shared_ptr<const engine::Model>& model,
                                         const MadeKind& kind, bool isGated)
{
    features::GraphRequest request;
    request.run.model = model;
    request.run.tokens = {3, 14, 1, 5, 9, 2, 6};
    for (std::int64_t& token : request.run.tokens)
        token = token * 7 % model->spec().vocabulary;
    if (isGated)
        request.run.gate = engine::ScoreGate{0.1};
    request.coders = makeCoders(model->spec(), kind);
    request.options.logits = 3;
    request.options.nodeShare = 1;
    request.options.edgeShare = 1;
    return request;
}

}  // namespace hs::test
