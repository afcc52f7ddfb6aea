#include "stats/likeness.h"

#include "support/catch.h"

#include <algorithm>
#include <random>

using namespace hs;

namespace {

constexpr int kFeatures = 16;

/// Items of `groups` shapes with some noise, dealt in turn. [item, feature]
std::vector<float> dealt(int groups, int perGroup)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<float> noise(0, 0.2f);
    std::vector<float> items;
    for (int item = 0; item < groups * perGroup; ++item)
        for (int feature = 0; feature < kFeatures; ++feature)
            items.push_back(noise(random) + (feature / 2 == item % groups ? 1.0f : 0.0f));
    return items;
}

}  // namespace

TEST_CASE("like items stand together, each item once")
{
    const int groups = 5;
    const int perGroup = GENERATE(1, 2, 9);
    const int count = groups * perGroup;
    const std::vector<int> order = stats::likenessOrder(dealt(groups, perGroup), count, kFeatures);
    std::vector<int> sorted = order;
    std::ranges::sort(sorted);
    REQUIRE(static_cast<int>(sorted.size()) == count);
    for (int item = 0; item < count; ++item)
        CHECK(sorted[static_cast<std::size_t>(item)] == item);
    int borders = 0;
    for (std::size_t place = 1; place < order.size(); ++place)
        borders += order[place] % groups != order[place - 1] % groups;
    CHECK(borders == groups - 1);
    CHECK(stats::likenessOrder(dealt(groups, perGroup), count, kFeatures) == order);
}

TEST_CASE("items along a line come in the order of the line")
{
    // Each overlaps some neighbours; dealt in a stride that mixes them.
    const int count = 40;
    const int width = 48;
    const auto placeOf = [&](int item) { return item * 7 % count; };
    std::vector<float> items(static_cast<std::size_t>(count * width), 0.0f);
    for (int item = 0; item < count; ++item)
        for (int feature = placeOf(item); feature < placeOf(item) + 8; ++feature)
            items[static_cast<std::size_t>(item * width + feature)] = 1;
    const std::vector<int> order = stats::likenessOrder(items, count, width);
    for (std::size_t at = 1; at < order.size(); ++at)
        CHECK(std::abs(placeOf(order[at]) - placeOf(order[at - 1])) == 1);
}

TEST_CASE("empty items stand together, and nothing has an order")
{
    // Four items that share nothing, and two that have nothing.
    std::vector<float> items(6 * kFeatures, 0.0f);
    for (const int item : {1, 2, 4, 5})
        items[static_cast<std::size_t>(item * kFeatures + item)] = 1;
    const std::vector<int> order = stats::likenessOrder(items, 6, kFeatures);
    const auto place = [&](int item) { return std::ranges::find(order, item) - order.begin(); };
    CHECK(std::abs(place(0) - place(3)) == 1);
    CHECK(stats::likenessOrder({}, 0, kFeatures).empty());
    CHECK(stats::likenessOrder(std::vector<float>(kFeatures, 1.0f), 1, kFeatures) == std::vector<int>{0});
}
