#include "train/token_draw_tensors.h"

#include "engine/run/token_draw.h"

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

at::Tensor drawRowByRow(const at::Tensor& logits, const at::Tensor& numbers)
{
    const at::Tensor drawn = at::empty({logits.size(0)}, at::kLong);
    const float* const data = logits.data_ptr<float>();
    const double* const number = numbers.data_ptr<double>();
    std::int64_t* const token = drawn.data_ptr<std::int64_t>();
    at::parallel_for(0, logits.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            token[row] = engine::drawToken(data + row * logits.size(1), logits.size(1), number[row]);
    });
    return drawn;
}

}  // namespace

at::Tensor drawTokens(const at::Tensor& logits, const at::Tensor& numbers)
{
    if (logits.device().is_cpu() && logits.scalar_type() == at::kFloat)
        return drawRowByRow(logits.contiguous(), numbers.contiguous());
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
