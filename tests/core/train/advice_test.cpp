#include "train/advice.h"

#include "support/catch.h"

#include <cmath>
#include <functional>

using namespace hs;

namespace {

/// All that is said in the course of so many looks.
std::vector<std::string> saidOver(int looks, const std::function<train::Look(int)>& lookAt)
{
    train::Advice advice;
    std::vector<std::string> said;
    for (int look = 0; look < looks; ++look) {
        train::Look now = lookAt(look);
        now.step = 100 * (look + 1);
        for (const std::string& sentence : advice.after(now))
            said.push_back(sentence);
    }
    return said;
}

train::Look good(int look)
{
    return {.density = 0.2 * std::exp(-0.05 * look),
            .strain = 0.95,
            .trainingExcess = 0.05,
            .heldOutExcess = 0.047};
}

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("of a training that goes well nothing is said")
{
    CHECK(saidOver(60, good).empty());
}

TEST_CASE("a density that no longer falls is said once, with the step since when and the remedy")
{
    const auto said = saidOver(60, [](int look) { return good(std::min(look, 20)); });
    REQUIRE(said.size() == 1);
    CHECK(has(said.front(), "not fallen since step 2,100"));
    CHECK(has(said.front(), "raise --tolerance"));
}

TEST_CASE("a density that waits for the constraint is no plateau")
{
    const auto said = saidOver(40, [](int look) {
        train::Look now = good(std::min(look, 20));
        now.strain = look % 3 == 0 ? 1.01 : 0.97;
        return now;
    });
    CHECK(said.empty());
}

TEST_CASE("a tolerance that is never kept is said once, with the remedy")
{
    const auto strained = [](int look) {
        train::Look now = good(look);
        now.strain = 1.4;
        return now;
    };
    CHECK(saidOver(7, strained).empty());
    const auto said = saidOver(40, strained);
    REQUIRE(said.size() == 1);
    CHECK(has(said.front(), "1.4 times"));
    CHECK(has(said.front(), "lower --rate"));
    CHECK_FALSE(has(said.front(), "as low as it gets"));
}

TEST_CASE("a price that cannot fall further is said sooner")
{
    const auto said = saidOver(5, [](int look) {
        train::Look now = good(look);
        now.strain = 2;
        now.isCheapest = true;
        return now;
    });
    REQUIRE(said.size() == 1);
    CHECK(has(said.front(), "as low as it gets"));
}

TEST_CASE("a training that starts above the tolerance and comes down is left alone")
{
    CHECK(saidOver(40, [](int look) {
              train::Look now = good(look);
              now.strain = std::max(0.95, 10 * std::exp(-0.2 * look));
              return now;
          }).empty());
}

TEST_CASE("rows that are learnt by heart are said once, with both numbers and the remedy")
{
    const auto said = saidOver(40, [](int look) {
        train::Look now = good(look);
        now.trainingExcess = 0.06 * std::exp(-0.03 * look);
        now.heldOutExcess = 0.05;
        return now;
    });
    REQUIRE(said.size() == 1);
    CHECK(has(said.front(), "learnt by heart"));
    CHECK(has(said.front(), "0.05"));
    CHECK(has(said.front(), "--self"));
}

TEST_CASE("training rows that are a little better than held-out ones, and stay so, are no matter")
{
    CHECK(saidOver(40, [](int look) {
              train::Look now = good(look);
              now.trainingExcess = 0.035;
              now.heldOutExcess = 0.05;
              return now;
          }).empty());
}
