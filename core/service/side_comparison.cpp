#include "service/side_comparison.h"

#include "analyses/map_analyses.h"
#include "text/token_match.h"

#include <algorithm>

namespace hs::service {
namespace {

bool haveSameTexts(const std::vector<text::Token>& first, const std::vector<text::Token>& second)
{
    return std::ranges::equal(first, second, {}, &text::Token::text, &text::Token::text);
}

analyses::LayeredWeights weightsThrough(Backend& backend, Side side, const SideRequest& request,
                                        const engine::RunResult& run, std::stop_token stop)
{
    return {run.heads, run.pattern(), [&backend, side, &request, stop](int layer) {
                return orThrow(
                    backend.maps(request, {side, layer, engine::MapKind::Weights, false}, {{}, stop}));
            }};
}

}  // namespace

Result<AnalysisResult> compareSides(Backend& first, Backend& second, const AnalysisRequest& request,
                                    const Hooks& hooks)
{
    return guarded([&]() -> AnalysisResult {
        const Hooks quiet{{}, hooks.stop};
        const SideRequest& other = request.other.value();
        const SideResult left = orThrow(first.run(Side::Left, request.side, quiet, {}));
        SideResult right = orThrow(second.run(Side::Right, other, quiet, {}));
        // Ids of different vocabularies say nothing.
        if (haveSameTexts(left.tokens, right.tokens) &&
            haveSameTexts(left.tokensOfKeys(), right.tokensOfKeys())) {
            right.after.tokens = left.after.tokens;
            right.after.keyTokens = left.after.keyTokens;
        }
        // Those of files say nothing about one another where they are not the same.
        stats::TokenPairs pairs;
        if (!request.side.model->maps && !other.model->maps)
            pairs = {text::pairsOf(left.tokens, right.tokens),
                     text::pairsOf(left.tokensOfKeys(), right.tokensOfKeys())};
        return orThrow(analyses::compareRuns(
            left.after, weightsThrough(first, Side::Left, request.side, left.after, hooks.stop), right.after,
            weightsThrough(second, Side::Right, other, right.after, hooks.stop), pairs, hooks));
    });
}

}  // namespace hs::service
