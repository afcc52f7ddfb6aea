#include "train/token_draw_tensors.h"

#include "support/catch.h"

#include <cmath>
#include <vector>

using namespace hs;

namespace {

constexpr std::int64_t kVocabulary = 700;  // no multiple of any block
constexpr std::int64_t kRows = 20000;

/// Logits from -3 to 3, and some tokens that cannot come.
at::Tensor someLogits()
{
    at::Tensor logits = at::sin(at::arange(kVocabulary, at::kDouble) * 1.7).mul(3).to(at::kFloat);
    logits.narrow(0, 200, 100).fill_(-INFINITY);
    logits.narrow(0, kVocabulary - 1, 1).fill_(-INFINITY);
    return logits;
}

/// How often each token is drawn with numbers that are spread evenly from 0 to 1.
std::vector<std::int64_t> countsOf(const at::Tensor& logits)
{
    const at::Tensor numbers = ((at::arange(kRows, at::kDouble) + 0.5) / kRows).to(logits.device());
    const at::Tensor drawn =
        train::drawTokens(logits.unsqueeze(0).expand({kRows, kVocabulary}), numbers).to(at::kCPU);
    std::vector<std::int64_t> counts(kVocabulary);
    for (std::int64_t row = 0; row < kRows; ++row)
        ++counts.at(static_cast<std::size_t>(drawn[row].item<std::int64_t>()));
    return counts;
}

}  // namespace

TEST_CASE("numbers spread evenly draw each token as often as its probability says")
{
    const at::Device device =
        at::hasCUDA() ? GENERATE(at::Device(at::kCPU), at::Device(at::kCUDA, 0)) : at::kCPU;
    const at::ScalarType type = GENERATE(at::kFloat, at::kBFloat16, at::kHalf);
    INFO(type << " on " << device);
    const at::Tensor logits = someLogits().to(device, type);
    const at::Tensor shares = at::softmax(logits.to(at::kDouble), 0) * kRows;
    const std::vector<std::int64_t> counts = countsOf(logits);
    for (std::int64_t token = 0; token < kVocabulary; ++token) {
        INFO("token " << token);
        CHECK(std::abs(static_cast<double>(counts[token]) - shares[token].item<double>()) <= 1.01);
    }
}

TEST_CASE("a token without probability is never drawn, whatever the number")
{
    const at::Tensor logits = someLogits().unsqueeze(0).expand({4, kVocabulary});
    at::Tensor numbers = at::zeros({4}, at::kDouble);
    numbers[1] = 1 - 0x1p-53;
    numbers[2] = 0x1p-53;
    numbers[3] = 0.5;
    const at::Tensor drawn = train::drawTokens(logits, numbers);
    CHECK(drawn[0].item<std::int64_t>() == 0);
    CHECK(drawn[1].item<std::int64_t>() == kVocabulary - 2);
    CHECK(at::isfinite(logits[0].index_select(0, drawn)).all().item<bool>());
}

TEST_CASE("each row is drawn from its own logits by its own number")
{
    const at::Tensor logits = at::stack({someLogits(), someLogits().flip(0), someLogits() * 2});
    const at::Tensor numbers = at::arange(1, 4, at::kDouble) / 4;
    const at::Tensor together = train::drawTokens(logits, numbers);
    for (std::int64_t row = 0; row < 3; ++row)
        CHECK(train::drawTokens(logits.narrow(0, row, 1), numbers.narrow(0, row, 1)).item<std::int64_t>() ==
              together[row].item<std::int64_t>());
}
