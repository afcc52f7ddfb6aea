#include "control/figures/figure_results.h"

#include "base/failure.h"
#include "support/catch.h"

using namespace hs;

namespace {

std::string problemOf(const std::function<void()>& read)
{
    const Result<int> done = guarded([&] {
        read();
        return 0;
    });
    return done.ok() ? std::string() : done.error().message;
}

}  // namespace

TEST_CASE("a ranking is read from a circuit as given, from an attribution and a sweep by magnitude")
{
    CHECK(control::readRanking(
              R"({"units": [{"layer": 2, "head": 1, "effect": 0.1}, {"layer": 0, "head": 3, "effect": 0.9},
                                    {"layer": 2, "head": 1, "query": 3, "key": 1, "effect": 0.05}]})") ==
          std::vector<HeadId>{{2, 1}, {0, 3}});
    CHECK(
        control::readRanking(
            R"({"heads": [{"layer": 0, "head": 0, "value": 0.5}, {"layer": 1, "head": 2, "value": -2}]})") ==
        std::vector<HeadId>{{1, 2}, {0, 0}});
    CHECK(control::readRanking("layer,head,logit,logit_diff,prob\n0,0,1.5,0.1,0\n0,1,0.2,-3e-1,0\n") ==
          std::vector<HeadId>{{0, 1}, {0, 0}});
    CHECK(control::readRanking("layer,head,logit\n0,0,0.5\n1,1,-2\n") == std::vector<HeadId>{{1, 1}, {0, 0}});
}

TEST_CASE("a curve is read in the order of heads kept")
{
    const figures::EffectCurve curve =
        control::readCurve(R"({"curve": [[4, 0.95], [0, 0], [2, 0.4]], "level": 0.9, "smallest": 4})");
    REQUIRE(curve.points.size() == 3);
    CHECK(curve.points[1].kept == 2);
    CHECK(curve.points[1].effect == 0.4);
    CHECK(curve.smallest == 4);
    CHECK_FALSE(control::readCurve(R"({"curve": [], "smallest": null})").smallest);
}

TEST_CASE("what a circuit is of, and what MLPs add, is read from results")
{
    CHECK(control::readUnits(R"({"unit": "heads+mlps"})") == analyses::CircuitUnits::HeadsAndMlps);
    CHECK(control::readUnits("{}") == analyses::CircuitUnits::Heads);
    const control::WrittenSums sums = control::readWrittenSums(
        R"({"logit": 5, "heads": [{"layer": 0, "head": 0, "value": 2}, {"layer": 0, "head": 1, "value": -0.5}],
            "mlps": [{"layer": 0, "head": "MLP", "value": 0.25}, {"layer": 1, "head": "MLP", "value": -3}]})");
    CHECK(sums.logit == 5);
    CHECK(sums.heads == 1.5);
    REQUIRE(sums.mlps.size() == 2);
    CHECK(sums.mlps[0] == std::pair(HeadId::mlpOf(1), -3.0));
    CHECK(control::readWrittenSums("{}").mlps.empty());
}

TEST_CASE("results that are none are refused in one sentence with the remedy")
{
    for (const char* text : {"{}", "{\"units\": 3}", "{\"units\": [{\"layer\": -1, \"head\": 0}]}",
                             "{\"units\": [{\"layer\": 1e9, \"head\": 0}]}", "[1, 2]", "layer;head\n", ""}) {
        CAPTURE(text);
        CHECK_FALSE(problemOf([&] { control::readRanking(text); }).empty());
    }
    CHECK(problemOf([] { control::readCurve("{\"curve\": [[1]]}"); }).find("make it again") !=
          std::string::npos);
    CHECK(problemOf([] {
              control::readContributions("{\"edges\": [{\"layer\": 0}]}");
          }).find("edges[0].head") != std::string::npos);
}
