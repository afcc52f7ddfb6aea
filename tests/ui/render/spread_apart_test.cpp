#include "render/spread_apart.h"

#include "support/catch.h"

using namespace hs;

namespace {

using Labels = std::vector<std::pair<double, int>>;

Labels spread(Labels labels)
{
    render::spreadApart(labels, 10, 0, 100);
    return labels;
}

}  // namespace

TEST_CASE("labels keep their places where they are apart, and make way in their order where they are not")
{
    CHECK(spread({}).empty());
    CHECK(spread({{50, 0}, {20, 1}}) == Labels{{20, 1}, {50, 0}});
    CHECK(spread({{50, 0}, {52, 1}, {51, 2}}) == Labels{{50, 0}, {60, 2}, {70, 1}});
    CHECK(spread({{98, 0}, {99, 1}, {-5, 2}}) == Labels{{0, 2}, {90, 0}, {100, 1}});
}
