#include "train/token_draw_tensors.h"

namespace hs::train {
namespace {

// A token is found in two steps: its block of the vocabulary, then its place there, so that only sums of
// blocks are laid end to end.
constexpr std::int64_t kTokenBlock = 256;

struct PlaceOfNumber {
    at::Tensor index;  // [row, 1] of the share into which the number falls
    at::Tensor rest;   // [row, 1] where in it, from 0 to 1
};

PlaceOfNumber placeOf(const at::Tensor& number,  // [row, 1] double
                      const at::Tensor& shares)  // [row, share] double
{
    const std::int64_t last = shares.size(1) - 1;
    const at::Tensor ends = shares.cumsum(1);
    const at::Tensor target = number * ends.narrow(1, last, 1);
    const at::Tensor index = ends.le(target).sum(1, /*keepdim=*/true).clamp_max(last);
    const at::Tensor share = shares.gather(1, index);
    // Below 1, so that the place found in the next step has a share above zero.
    return {index, ((target - ends.gather(1, index) + share) / share).clamp(0, 1 - 1e-12)};
}

}  // namespace

at::Tensor drawTokens(const at::Tensor& logits, const at::Tensor& numbers)
{
    const std::int64_t rows = logits.size(0);
    const std::int64_t vocabulary = logits.size(1);
    const std::int64_t blocks = (vocabulary + kTokenBlock - 1) / kTokenBlock;
    const at::Tensor padded =
        at::empty({rows, blocks * kTokenBlock}, at::TensorOptions(at::kFloat).device(logits.device()));
    at::Tensor shares = padded.narrow(1, 0, vocabulary);
    at::sub_out(shares, logits, logits.amax(1, /*keepdim=*/true).to(at::kFloat)).exp_();
    padded.narrow(1, vocabulary, padded.size(1) - vocabulary).zero_();
    const at::Tensor inBlocks = padded.view({rows, blocks, kTokenBlock});
    const PlaceOfNumber block = placeOf(numbers.unsqueeze(1), inBlocks.sum(2).to(at::kDouble));
    const at::Tensor inside =
        inBlocks.gather(1, block.index.unsqueeze(2).expand({rows, 1, kTokenBlock})).squeeze(1);
    const PlaceOfNumber token = placeOf(block.rest, inside.to(at::kDouble));
    return (block.index * kTokenBlock + token.index).squeeze(1);
}

}  // namespace hs::train
