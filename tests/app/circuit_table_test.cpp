#include "app/support/circuit_table.h"

#include "support/catch.h"
#include "support/refusals.h"

#include <cmath>

using namespace hs;
using hs::test::isRefused;

namespace {

/// A circuit of two heads, of which the first alone explains `first`.
app::FoundCircuit found(int index, int smallest, double first = 0.5)
{
    analyses::Circuit circuit;
    circuit.shape = {1, 2, 2};
    circuit.tokens = 3;
    circuit.clean = 2;
    circuit.corrupted = -1;
    circuit.none = -1;
    circuit.units = {{{0, 1}, {}, 0.75, 0.5}, {{0, 0}, {}, -0.25, NAN}};
    circuit.curve = {{0, 0}, {1, first}, {2, 1}};
    circuit.level = 0.9;
    circuit.smallest = smallest;
    circuit.refined = {0};
    const Json prompts = {{"clean", {1, 2, 3}}, {"corrupted", {1, 4, 3}}, {"target", 5}, {"versus", 6}};
    return {index, prompts, circuit, ""};
}

app::FoundCircuit notFound(int index)
{
    return {index, found(index, 1).prompts, std::nullopt, "Both prompts give the same answer."};
}

app::CircuitTable circuitTable(std::vector<app::FoundCircuit> pairs, int pairCount = 3)
{
    return {{"demo",
             analyses::CircuitUnits::Heads,
             analyses::CircuitRanking::Restore,
             0.9,
             true,
             pairCount,
             {{"gate", "auto"}}},
            std::move(pairs)};
}

}  // namespace

TEST_CASE("circuits of one model or of two that were written are read back as the same")
{
    const app::CircuitTable table = circuitTable({found(0, 1), notFound(1), found(2, 2)});
    app::CircuitTable other = table;
    other.task.model = "other";
    for (const app::CircuitTables& tables : {app::CircuitTables{table}, app::CircuitTables{table, other}}) {
        const Json json = app::toJson(tables);
        CHECK(app::isCircuitPart(json));
        const app::CircuitTables back = app::circuitTablesFrom(json, "circuits.json");
        CHECK(back.size() == tables.size());
        CHECK(app::toJson(back) == json);
        CHECK(back.back().pairs.at(1).problem == "Both prompts give the same answer.");
    }
    CHECK_FALSE(app::isCircuitPart({{"sweep", 2}}));
    CHECK_FALSE(app::isCircuitPart(Json::array()));
}

TEST_CASE("means are taken over the pairs that have a circuit, and over counts that all their curves have")
{
    app::CircuitTable table = circuitTable({found(0, 1, 0.25), notFound(1), found(2, 2, 0.75)});
    CHECK(app::smallestOf(table).mean == 1.5);
    CHECK(app::smallestOf(table).count == 2);
    CHECK(app::smallestOf(table).deviation == Approx(std::sqrt(0.5)));
    CHECK(app::refinedOf(table).mean == 1);
    CHECK(app::meanCurve(table) == std::vector<analyses::CircuitPoint>{{0, 0}, {1, 0.5}, {2, 1}});
    table.pairs.back().circuit->curve.erase(table.pairs.back().circuit->curve.begin() + 1);
    CHECK(app::meanCurve(table) == std::vector<analyses::CircuitPoint>{{0, 0}, {2, 1}});

    const app::CircuitTable none = circuitTable({notFound(0)}, 1);
    CHECK(std::isnan(app::smallestOf(none).mean));
    CHECK(app::meanCurve(none).empty());
    CHECK(app::toJson(app::CircuitTables{none})["smallest"] ==
          Json({{"mean", nullptr}, {"sd", nullptr}, {"pairs", 0}}));
}

TEST_CASE("two models are compared by how many times as many units the first one needs")
{
    const app::CircuitTable dense = circuitTable({found(0, 2)}, 1);
    const app::CircuitTable sparse = circuitTable({found(0, 1)}, 1);
    CHECK(app::toJson(app::CircuitTables{dense, sparse})["factor"] == 2);
    CHECK(app::toJson(app::CircuitTables{dense, sparse})["refined_factor"] == 1);
    CHECK(app::factorOf(3, 0).is_null());
    CHECK(app::factorOf(NAN, 2).is_null());
}

TEST_CASE("a file that is no table of circuits is refused by its name")
{
    const Json good = app::toJson(app::CircuitTables{circuitTable({found(0, 1)}, 1)});
    const auto isRefusedWith = [&](const char* key, const Json& value, const std::string& words) {
        Json json = good;
        json[key] = value;
        return isRefused([&] { app::circuitTablesFrom(json, "my.json"); }, words);
    };
    CHECK(isRefused([] { app::circuitTablesFrom(Json::array(), "my.json"); }, "my.json"));
    CHECK(isRefused([&] { app::circuitTablesFrom({{"dense", good}}, "my.json"); }, "my.json"));
    CHECK(isRefusedWith("circuits", 7, "another version"));
    CHECK(isRefusedWith("unit", "edges", "different searches"));
    CHECK(isRefusedWith("ranking", "remove", "different searches"));
    CHECK(isRefusedWith("level", 0.8, "different searches"));
    CHECK(isRefusedWith("pairs", 3, "my.json"));
}

TEST_CASE("the parts of a search make the whole in any order, of one model and of two")
{
    const app::CircuitTable first = circuitTable({found(0, 1), found(2, 2)});
    const app::CircuitTable second = circuitTable({notFound(1)});
    const app::CircuitTable whole = circuitTable({found(0, 1), notFound(1), found(2, 2)});
    CHECK(app::toJson(app::merged({{second}, {first}})) == app::toJson(app::CircuitTables{whole}));
    CHECK(app::toJson(app::merged({{first, first}, {second, second}})) ==
          app::toJson(app::CircuitTables{whole, whole}));
}

TEST_CASE("parts of a search that do not belong together, or are no whole, are refused")
{
    const app::CircuitTable first = circuitTable({found(0, 1), found(2, 2)});
    const app::CircuitTable second = circuitTable({notFound(1)});
    const auto isRefusedWith = [](std::vector<app::CircuitTables> parts, const std::string& words) {
        return isRefused([&] { app::merged(std::move(parts)); }, words);
    };
    CHECK(isRefusedWith({{first}, {second, second}}, "made alike"));
    CHECK(isRefusedWith({{first}}, "Pair 1 is in none"));
    CHECK(isRefusedWith({{first}, {second}, {second}}, "Pair 1 is in two parts"));
    app::CircuitTable other = second;
    other.task.conditions["gate"] = "off";
    CHECK(isRefusedWith({{first}, {other}}, "different searches"));
}
