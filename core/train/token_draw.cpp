#include "train/token_draw_tensors.h"

#include "cuda/token_draw.h"
#include "train/fused_launch_tensors.h"

namespace hs::train {

at::Tensor drawTokens(const at::Tensor& logits, const at::Tensor& numbers)
{
    const at::Tensor rows = (isReadable(logits) ? logits : logits.to(at::kFloat)).contiguous();
    const at::Tensor ownNumbers = numbers.contiguous();
    const at::Tensor drawn = at::empty({rows.size(0)}, rows.options().dtype(at::kLong));
    cuda::TokenDraw problem;
    problem.rows = static_cast<int>(rows.size(0));
    problem.vocabulary = static_cast<int>(rows.size(1));
    problem.precision = precisionOf(rows);
    problem.logits = rows.data_ptr();
    problem.numbers = ownNumbers.data_ptr<double>();
    problem.tokens = drawn.data_ptr<std::int64_t>();
    runWhere(
        rows, [&](auto stream) { cuda::drawTokens(problem, stream); },
        [&] {
            const std::int64_t vocabulary = rows.size(1);
            const float* const logitsOfRows = rows.data_ptr<float>();
            at::parallel_for(0, problem.rows, 1, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t row = begin; row < end; ++row)
                    problem.tokens[row] = cuda::drawTokenTwin(logitsOfRows + row * vocabulary, vocabulary,
                                                              problem.numbers[row]);
            });
        });
    return drawn;
}

}  // namespace hs::train
