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
    HeadEditLists edits = {};

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
               std::to_string(window) + (bias ? ", gated" : "") + ", tiles of " + std::to_string(tileSide) +
               (edits.empty() ? "" : ", edited");
    }
};

/// Patterns in double precision with every cell in memory.
struct PlainPatterns {
    at::Tensor raised;   // [head, query, key] scores plus the gate's bias; -inf where a query may not look
    at::Tensor weights;  // [head, query, key]
    at::Tensor open;     // [head, query, key] bool, what gate and edits leave open
    at::Tensor z;        // [query, head, head size]
};

/// In place. weights, open: [query, key]
void makeEdit(at::Tensor weights, at::Tensor open, const cuda::PatternEdit& edit)
{
    const at::Tensor rows = weights.slice(0, edit.query, edit.queryEnd);
    const at::Tensor cells = rows.slice(1, edit.key, edit.keyEnd);
    const at::Tensor before = rows.sum(1, /*keepdim=*/true);
    cells.mul_(double(edit.factor));
    if (edit.renormalises) {
        const at::Tensor left = rows.sum(1, /*keepdim=*/true);
        rows.mul_(at::where(left.gt(0), before / left, at::ones_like(left)));
    }
    if (edit.factor == 0)
        open.slice(0, edit.query, edit.queryEnd).slice(1, edit.key, edit.keyEnd).fill_(false);
}

PlainPatterns plainPatterns(const cuda::PatternProblem& problem, const at::Tensor& qkv,
                            const HeadEditLists& edits)
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
    plain.open = problem.isGated ? plain.raised.gt(0) : at::isfinite(plain.raised);
    for (std::size_t head = 0; head < edits.size(); ++head)
        for (const cuda::PatternEdit& edit : edits[head])
            makeEdit(plain.weights[std::int64_t(head)], plain.open[std::int64_t(head)], edit);
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
               const PlainPatterns& plain, int head)
{
    const at::Tensor raised = plain.raised[head], weights = plain.weights[head];
    const at::Tensor pattern = weights.to(at::kFloat).contiguous();
    const double open = plain.open[head].sum().item<double>();
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
    const PatternLauncher launcher(problem, qkv, tokens, shape.edits);
    const PatternOutcome outcome = launcher.run();
    const PlainPatterns plain = plainPatterns(problem, qkv, shape.edits);

    const at::Tensor z = outcome.z.to(at::kCPU, at::kDouble);
    CHECK((z - plain.z).norm().item<double>() <= target.tolerance * plain.z.norm().item<double>());
    const at::Tensor ids = tokens.to(at::kLong);
    const stats::RepeatedTokens repeats(
        {ids.data_ptr<std::int64_t>(), static_cast<std::size_t>(problem.length)});
    for (int head = 0; head < problem.heads; ++head) {
        INFO("head " << head);
        checkHead(problem, target, repeats, outcome.sums[head], outcome.tiles[head], plain, head);
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

/// Some of what a user may ask for: scaled, cut and renormalised cells, rows, columns and blocks, one after another.
std::vector<cuda::PatternEdit> drawEdits(int length, int count)
{
    const auto drawn = [](int end) { return int(at::randint(end, {1}, at::kLong).item<std::int64_t>()); };
    std::vector<cuda::PatternEdit> edits;
    while (std::ssize(edits) < count) {
        const int key = drawn(length);
        const int query = key + drawn(length - key);
        const int queryEnd = drawn(2) ? query + 1 : query + 1 + drawn(length - query);
        const int keyEnd = drawn(2) ? key + 1 : key + 1 + drawn(queryEnd - key);
        const int kind = drawn(4);
        edits.push_back({query, queryEnd, key, keyEnd,
                         kind == 0   ? 2.0f
                         : kind == 1 ? 0.3f
                                     : 0.0f,
                         kind == 3});
    }
    return edits;
}

/// The last head stays as it is.
PatternCase edited(PatternCase shape, int count = 5)
{
    for (int head = 0; head + 1 < shape.heads; ++head)
        shape.edits.push_back(drawEdits(shape.length, count));
    shape.edits.emplace_back();
    return shape;
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

TEST_CASE("edited cells give what the same edits of patterns in memory give, at every length")
{
    at::manual_seed(7);
    for (const int length : {1, 2, 15, 64, 65, 128, 129, 200})
        for (const auto& bias : kGates)
            for (const int count : {1, 2, 7})
                checkEverywhere(edited({.length = length, .heads = 3, .bias = bias}, count));
}

TEST_CASE("edited cells give what the same edits of patterns in memory give, in heads of every shape")
{
    at::manual_seed(8);
    for (const int headDim : {8, 33, 64, 80, 128, 256})
        checkEverywhere(edited({.length = 150, .headDim = headDim, .heads = 4, .kvHeads = 2}));
    for (const int window : {1, 7, 64, 99})
        for (const auto& bias : kGates)
            checkEverywhere(edited({.length = 100, .heads = 3, .window = window, .bias = bias}));
    for (const int side : {1, 7, 100})
        checkEverywhere(edited({.length = 130, .heads = 3, .tileSide = side}));
}

TEST_CASE("one pass over patterns gives what the patterns in memory give, for many heads, edited or not")
{
    at::manual_seed(9);
    for (const int headDim : {16, 64, 128}) {
        const PatternCase shape = {.length = 256, .headDim = headDim, .heads = 70, .kvHeads = 10};
        checkEverywhere(shape);
        checkEverywhere(edited(shape, 3));
    }
}

TEST_CASE("rows that renormalise several times end with the sum that they had")
{
    at::manual_seed(10);
    PatternCase shape = {.length = 90, .heads = 2, .bias = 0.2f};
    shape.edits = {{{0, 90, 0, 1, 0, 1}, {30, 90, 5, 9, 0, 1}, {40, 41, 0, 41, 2, 0}, {10, 90, 3, 4, 0, 1}},
                   {{0, 90, 0, 90, 0, 1}, {0, 90, 2, 3, 0, 1}}};
    checkEverywhere(shape);
}

TEST_CASE("a head all of whose cells are cut writes zeros, and no other head notices")
{
    at::manual_seed(11);
    for (const PatternTarget& target : patternTargets())
        for (const int length : {40, 200}) {
            cuda::PatternProblem problem = PatternCase{.length = length, .heads = 3}.problem();
            problem.precision = target.precision();
            const at::Tensor qkv =
                at::randn({length, std::int64_t(problem.heads + 2 * problem.kvHeads) * problem.headDim})
                    .to(target.device, target.type);
            const at::Tensor tokens = at::randint(9, {length}, at::kInt);
            const PatternOutcome plain = PatternLauncher(problem, qkv, tokens).run();
            const PatternOutcome cut =
                PatternLauncher(problem, qkv, tokens, {{}, {{0, length, 0, length, 0, 0}}, {}}).run();
            CHECK(cut.z.select(1, 1).equal(at::zeros_like(cut.z.select(1, 1))));
            CHECK(cut.tiles[1].max().item<int>() == 0);
            CHECK(cut.sums[1].open == 0);
            for (const int head : {0, 2}) {
                CHECK(cut.z.select(1, head).equal(plain.z.select(1, head)));
                CHECK(cut.tiles[head].equal(plain.tiles[head]));
                CHECK(std::memcmp(&cut.sums[head], &plain.sums[head], sizeof(stats::PatternSums)) == 0);
            }
        }
}
