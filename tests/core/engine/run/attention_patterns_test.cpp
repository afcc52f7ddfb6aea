#include "core/engine/run/pattern_targets.h"
#include "stats/head_summary.h"
#include "support/catch.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

using namespace hs;

namespace {

struct PatternCase {
    int length = 65;
    int headDim = 16;
    int heads = 2;
    int kvHeads = 1;
    int window = 0;
    std::optional<float> bias = std::nullopt;  // of the gate
    int tileSide = 64;

    cuda::PatternProblem problem() const
    {
        cuda::PatternProblem problem;
        problem.length = length;
        problem.heads = heads;
        problem.kvHeads = kvHeads;
        problem.headDim = headDim;
        problem.window = window;
        problem.scale = 1.5f / std::sqrt(static_cast<float>(headDim));
        problem.isGated = bias.has_value();
        problem.bias = bias.value_or(0.0f);
        problem.tileSide = std::min(tileSide, length);
        problem.threshold = 0.02f;
        return problem;
    }
    std::string describe() const
    {
        return std::to_string(length) + " tokens, heads " + std::to_string(heads) + "/" +
               std::to_string(kvHeads) + " x " + std::to_string(headDim) + ", window " +
               std::to_string(window) + (bias ? ", gated" : "") + ", tiles of " + std::to_string(tileSide);
    }
};

/// Patterns in double precision with every cell in memory.
struct PlainPatterns {
    at::Tensor raised;   // [head, query, key] scores plus the gate's bias; -inf where a query may not look
    at::Tensor weights;  // [head, query, key]
    at::Tensor z;        // [query, head, head size]
};

PlainPatterns plainPatterns(const cuda::PatternProblem& problem, const at::Tensor& qkv)
{
    const at::Tensor slots = qkv.to(at::kCPU, at::kDouble)
                                 .view({problem.length, problem.heads + 2 * problem.kvHeads, problem.headDim})
                                 .transpose(0, 1);
    const std::int64_t perGroup = problem.heads / problem.kvHeads;
    const at::Tensor queries = slots.narrow(0, 0, problem.heads);
    const at::Tensor keys = slots.narrow(0, problem.heads, problem.kvHeads).repeat_interleave(perGroup, 0);
    const at::Tensor values =
        slots.narrow(0, problem.heads + problem.kvHeads, problem.kvHeads).repeat_interleave(perGroup, 0);
    const at::Tensor position = at::arange(problem.length, at::kLong);
    const at::Tensor behind = position.unsqueeze(1) - position.unsqueeze(0);
    at::Tensor hidden = behind.lt(0);
    if (problem.window > 0)
        hidden = hidden.logical_or(behind.ge(problem.window));
    const at::Tensor scores = (at::matmul(queries, keys.transpose(1, 2)) * double(problem.scale))
                                  .masked_fill(hidden, -std::numeric_limits<double>::infinity());
    PlainPatterns plain;
    plain.raised = scores + double(problem.bias);
    plain.weights = at::softmax(scores, -1);
    if (problem.isGated)
        plain.weights = plain.weights * plain.raised.gt(0);
    plain.z = at::matmul(plain.weights, values).transpose(0, 1);
    return plain;
}

/// How many numbers are so close to an edge that rounding may carry them across.
double cellsAt(const at::Tensor& numbers, double edge)
{
    return (numbers - edge).abs().lt(1e-5).sum().item<double>();
}

void checkMean(const char* name, double actual, double expected, double relative)
{
    INFO(name);
    CHECK((std::isnan(expected) ? std::isnan(actual)
                                : actual == Approx(expected).epsilon(relative).margin(1e-6)));
}

void checkStats(const stats::HeadStats& actual, const stats::HeadStats& expected, double relative)
{
    checkMean("previous", actual.previousToken, expected.previousToken, relative);
    checkMean("current", actual.currentToken, expected.currentToken, relative);
    checkMean("first", actual.firstToken, expected.firstToken, relative);
    checkMean("duplicate", actual.duplicateToken, expected.duplicateToken, relative);
    checkMean("induction", actual.induction, expected.induction, relative);
    checkMean("entropy", actual.entropy, expected.entropy, relative);
    checkMean("normalized entropy", actual.entropyNormalized, expected.entropyNormalized, relative);
    checkMean("peak", actual.peak, expected.peak, relative);
    checkMean("distance", actual.meanDistance, expected.meanDistance, relative);
}

void checkHead(const cuda::PatternProblem& problem, const PatternTarget& target,
               const stats::RepeatedTokens& repeats, const stats::PatternSums& sums, const at::Tensor& tile,
               const at::Tensor& raised, const at::Tensor& weights)
{
    const at::Tensor pattern = weights.to(at::kFloat).contiguous();
    const double open = problem.isGated ? raised.gt(0).sum().item<double>()
                                        : double(stats::visibleCells(problem.length, problem.window));
    at::Tensor expectedTile = at::empty({problem.tileSide, problem.tileSide}, at::kByte);
    const stats::HeadStats expected = stats::summarizeHead(
        pattern.data_ptr<float>(), {repeats, problem.length, problem.tileSide, double(problem.threshold)},
        static_cast<std::int64_t>(open), expectedTile.data_ptr<std::uint8_t>());
    checkStats(stats::statsOf(sums, problem.length, repeats.count()), expected, target.sum);
    CHECK(sums.mass == Approx(weights.sum().item<double>()).epsilon(target.sum).margin(1e-6));

    CHECK(std::abs(sums.open - open) <= cellsAt(raised, 0));
    CHECK(std::abs(sums.above - weights.gt(double(problem.threshold)).sum().item<double>()) <=
          cellsAt(weights, double(problem.threshold)));
    const at::Tensor offDiagonal = weights.tril(-1);
    CHECK(std::abs(sums.aboveHalf - offDiagonal.gt(0.5).sum().item<double>()) <= cellsAt(offDiagonal, 0.5));

    CHECK((tile.to(at::kInt) - expectedTile.to(at::kInt)).abs().max().item<int>() <= target.tile);
}

void checkOn(const PatternTarget& target, const PatternCase& shape)
{
    INFO(shape.describe() << " on " << target.device << " in " << target.type);
    cuda::PatternProblem problem = shape.problem();
    problem.precision = target.precision();
    const std::int64_t width = std::int64_t(problem.heads + 2 * problem.kvHeads) * problem.headDim;
    const at::Tensor qkv = at::randn({problem.length, width}).to(target.device, target.type);
    const at::Tensor tokens = at::randint(problem.length / 3 + 1, {problem.length}, at::kInt);
    const PatternLauncher launcher(problem, qkv, tokens);
    const PatternOutcome outcome = launcher.run();
    const PlainPatterns plain = plainPatterns(problem, qkv);

    const at::Tensor z = outcome.z.to(at::kCPU, at::kDouble);
    CHECK((z - plain.z).norm().item<double>() <= target.tolerance * plain.z.norm().item<double>());
    const at::Tensor ids = tokens.to(at::kLong);
    const stats::RepeatedTokens repeats(
        {ids.data_ptr<std::int64_t>(), static_cast<std::size_t>(problem.length)});
    for (int head = 0; head < problem.heads; ++head) {
        INFO("head " << head);
        checkHead(problem, target, repeats, outcome.sums[head], outcome.tiles[head], plain.raised[head],
                  plain.weights[head]);
    }

    const PatternOutcome again = launcher.run();
    CHECK(again.z.equal(outcome.z));
    CHECK(again.tiles.equal(outcome.tiles));
    CHECK(std::memcmp(again.sums.data(), outcome.sums.data(), problem.heads * sizeof(stats::PatternSums)) ==
          0);
}

void checkEverywhere(const PatternCase& shape)
{
    for (const PatternTarget& target : patternTargets())
        checkOn(target, shape);
}

constexpr std::optional<float> kGates[] = {std::nullopt, 0.25f, -0.5f};

}  // namespace

TEST_CASE("one pass over patterns gives what the patterns in memory give, at every length")
{
    at::manual_seed(1);
    for (const int length : {1, 2, 5, 15, 16, 17, 63, 64, 65, 100, 130, 200})
        for (const auto& bias : kGates)
            checkEverywhere({.length = length, .bias = bias});
}

TEST_CASE("one pass over patterns gives what the patterns in memory give, for every head size")
{
    at::manual_seed(2);
    for (const int headDim : {1, 8, 16, 24, 33, 64, 80, 128, 256})
        for (const auto& bias : kGates)
            checkEverywhere({.length = 70, .headDim = headDim, .bias = bias});
}

TEST_CASE("one pass over patterns gives what the patterns in memory give, for heads that share keys")
{
    at::manual_seed(3);
    for (const int kvHeads : {1, 2, 3, 6})
        checkEverywhere({.length = 40, .heads = 6, .kvHeads = kvHeads, .bias = 0.1f});
}

TEST_CASE("one pass over patterns gives what the patterns in memory give, in every window")
{
    at::manual_seed(4);
    for (const int window : {1, 2, 7, 16, 33, 64, 99, 100, 500})
        for (const auto& bias : kGates)
            checkEverywhere({.length = 100, .window = window, .bias = bias});
}

TEST_CASE("one pass over patterns gives what the patterns in memory give, for tiles of any side")
{
    at::manual_seed(5);
    for (const int side : {1, 2, 7, 31, 64, 100, 129, 130})
        checkEverywhere({.length = 130, .window = side % 2 ? 40 : 0, .tileSide = side});
}

TEST_CASE("a gate that nothing passes leaves nothing, and one that all passes changes nothing")
{
    at::manual_seed(6);
    checkEverywhere({.length = 90, .bias = -1e4f});
    checkEverywhere({.length = 90, .bias = 1e4f});
}
