#include "engine/run/promoted_tokens_tensors.h"

#include <algorithm>

namespace hs::engine {
namespace {

/// The largest or smallest of each row, on the host.
struct RankedRows {
    at::Tensor weights;  // [row, rank] double
    at::Tensor tokens;   // [row, rank] int64

    RankedRows(const at::Tensor& rows, std::int64_t count, bool isLargest)
    {
        std::tie(weights, tokens) = rows.topk(count, 1, isLargest);
        weights = weights.to(at::kCPU, at::kDouble).contiguous();
        tokens = tokens.to(at::kCPU).contiguous();
    }

    std::vector<TokenWeight> list(std::int64_t row) const
    {
        std::vector<TokenWeight> tokensOfRow;
        for (std::int64_t at = row * weights.size(1); at < (row + 1) * weights.size(1); ++at)
            tokensOfRow.push_back({tokens.data_ptr<std::int64_t>()[at], weights.data_ptr<double>()[at]});
        return tokensOfRow;
    }
};

}  // namespace

std::vector<PromotedTokens> promotedTokens(const at::Tensor& weights, int count)
{
    const std::int64_t kept = std::min<std::int64_t>(count, weights.size(1));
    const RankedRows most(weights, kept, /*isLargest=*/true);
    const RankedRows least(weights, kept, /*isLargest=*/false);
    std::vector<PromotedTokens> promoted;
    for (std::int64_t row = 0; row < weights.size(0); ++row)
        promoted.push_back({most.list(row), least.list(row)});
    return promoted;
}

}  // namespace hs::engine
