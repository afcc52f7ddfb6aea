#include "stats/token_flow.h"

#include "support/catch.h"

#include <algorithm>
#include <vector>

using namespace hs;

namespace {

/// A pattern with only these weights. [query, key]
std::vector<float> pattern(int tokens, const std::vector<stats::FlowEdge>& cells)
{
    std::vector<float> weights(static_cast<std::size_t>(tokens) * static_cast<std::size_t>(tokens));
    for (const stats::FlowEdge& cell : cells)
        weights[static_cast<std::size_t>(cell.query * tokens + cell.key)] = cell.weight;
    return weights;
}

/// 0 → 1 in the first layer, 1 → 3 in the second; 2 → 3 leads away from what 0 reaches.
stats::TokenFlow chain()
{
    stats::TokenFlowBuilder builder(2, 4, 0.1);
    builder.add({0, 0}, pattern(4, {{{}, 1, 0, 0.5f}, {{}, 2, 1, 0.05f}}).data());
    builder.add({1, 0}, pattern(4, {{{}, 3, 1, 0.75f}}).data());
    builder.add({1, 1}, pattern(4, {{{}, 3, 2, 0.25f}}).data());
    return builder.finish();
}

double ways(const stats::TokenFlow& flow, int query, int key)
{
    return flow.ways[static_cast<std::size_t>(query * flow.tokens + key)];
}

}  // namespace

TEST_CASE("edges are the weights at or above the threshold, strongest first")
{
    const std::vector<stats::FlowEdge> expected = {
        {{1, 0}, 3, 1, 0.75f}, {{0, 0}, 1, 0, 0.5f}, {{1, 1}, 3, 2, 0.25f}};
    CHECK(chain().edges == expected);

    stats::TokenFlowBuilder exact(1, 1, 0.7);
    const float weight = 0.7f;  // a little less than 0.7
    exact.add({0, 0}, &weight);
    CHECK(exact.finish().edges.size() == 1);
    stats::TokenFlowBuilder nothing(1, 1, 0);
    const float zero = 0;
    nothing.add({0, 0}, &zero);
    CHECK(nothing.finish().edges.empty());
}

TEST_CASE("weights above the diagonal are no edges")
{
    stats::TokenFlowBuilder builder(1, 2, 0);
    builder.add({0, 0}, pattern(2, {{{}, 0, 1, 1.0f}, {{}, 1, 0, 1.0f}}).data());
    CHECK(builder.finish().edges == std::vector<stats::FlowEdge>{{{0, 0}, 1, 0, 1.0f}});
}

TEST_CASE("more edges than any picture can show are refused with what to do")
{
    constexpr int kTokens = 3'200;  // 5,121,600 cells
    const std::vector<float> even(std::size_t{kTokens} * kTokens, 1.0f / kTokens);
    stats::TokenFlowBuilder builder(1, kTokens, 0);
    CHECK_THROWS_WITH(builder.add({0, 0}, even.data()),
                      "More than 5,000,000 weights reach the threshold; raise it or shorten the prompt.");
}

TEST_CASE("ways are the product over the layers of A + I")
{
    const stats::TokenFlow flow = chain();
    for (int token = 0; token < 4; ++token)
        CHECK(ways(flow, token, token) == 1);  // along the residual stream
    CHECK(ways(flow, 1, 0) == 1);
    CHECK(ways(flow, 3, 0) == 1);  // in two steps
    CHECK(ways(flow, 3, 1) == 1);
    CHECK(ways(flow, 3, 2) == 1);
    CHECK(ways(flow, 2, 0) == 0);
    CHECK(ways(flow, 0, 3) == 0);
}

TEST_CASE("two heads that share a cell are one way, two layers that do are two")
{
    const std::vector<float> step = pattern(2, {{{}, 1, 0, 0.5f}});
    stats::TokenFlowBuilder heads(1, 2, 0.1);
    heads.add({0, 0}, step.data());
    heads.add({0, 1}, step.data());
    CHECK(ways(heads.finish(), 1, 0) == 1);
    stats::TokenFlowBuilder layers(2, 2, 0.1);
    layers.add({0, 0}, step.data());
    layers.add({1, 0}, step.data());
    CHECK(ways(layers.finish(), 1, 0) == 2);
}

TEST_CASE("without edges every token reaches itself alone")
{
    const stats::TokenFlow flow = stats::TokenFlowBuilder(3, 2, 0.1).finish();
    CHECK(flow.ways == std::vector<double>{1, 0, 0, 1});
    CHECK(stats::edgesBetween(flow, 0, 1).empty());
}

TEST_CASE("edges between two tokens are those on a way, in the order of layers")
{
    const stats::TokenFlow flow = chain();
    const std::vector<stats::FlowEdge> way = {{{1, 0}, 3, 1, 0.75f}, {{0, 0}, 1, 0, 0.5f}};
    CHECK(stats::edgesBetween(flow, 0, 3) == way);
    CHECK(stats::edgesBetween(flow, 2, 3) == std::vector<stats::FlowEdge>{{{1, 1}, 3, 2, 0.25f}});
    CHECK(stats::edgesBetween(flow, 0, 2).empty());

    stats::TokenFlowBuilder backwards(2, 4, 0.1);  // an earlier layer cannot use a later one's edge
    backwards.add({1, 0}, pattern(4, {{{}, 1, 0, 0.5f}}).data());
    backwards.add({0, 0}, pattern(4, {{{}, 3, 1, 0.5f}}).data());
    CHECK(stats::edgesBetween(backwards.finish(), 0, 3).empty());
}

TEST_CASE("there are edges between two tokens just where there is more than one way or they differ")
{
    const stats::TokenFlow flow = chain();
    for (int query = 0; query < 4; ++query)
        for (int key = 0; key < query; ++key)
            CHECK(stats::edgesBetween(flow, key, query).empty() == (ways(flow, query, key) == 0));
    CHECK(stats::edgesBetween(flow, 3, 0).empty());
    CHECK(stats::edgesBetween(flow, -1, 9).empty());
}
