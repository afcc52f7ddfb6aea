#include "analyses/analysis_json.h"

#include "base/failure.h"
#include "support/catch.h"

#include <cmath>

using namespace hs;

namespace {

constexpr double kOneThird = 1.0 / 3.0;  // needs every digit

analyses::Sweep sweep()
{
    analyses::Sweep result;
    result.shape = {2, 4, 2};
    result.kind = analyses::SweepUnits::Groups;
    result.method = analyses::SweepMethod::Mean;
    result.baseline = {1.5, kOneThird, 0.25, NAN, 0};
    for (int layer = 0; layer < 2; ++layer)
        for (int group = 0; group < 2; ++group) {
            result.units.push_back({layer, group});
            result.changes.push_back({-kOneThird, 1e-300, NAN, layer + 0.1, group + 0.7});
        }
    return result;
}

analyses::Circuit circuit(analyses::CircuitUnits kind = analyses::CircuitUnits::Edges)
{
    const auto cell = [&](int query, int key) {
        return kind == analyses::CircuitUnits::Edges ? std::optional(CellId{query, key}) : std::nullopt;
    };
    analyses::Circuit result;
    result.shape = {2, 2, 1};
    result.tokens = 3;
    result.kind = kind;
    result.ranking = analyses::CircuitRanking::Gradient;
    result.clean = 10 * kOneThird;
    result.corrupted = -2;
    result.none = -2.0000000001;
    result.units = {{{1, 0}, cell(2, 1), 0.75, NAN}, {{0, 1}, cell(1, 1), -kOneThird, 0.125}};
    result.curve = {{0, 0}, {1, kOneThird}, {2, 1}};
    result.level = 0.9;
    result.smallest = 2;
    result.refined = {1};
    return result;
}

analyses::Circuit paths()
{
    analyses::Circuit result = circuit(analyses::CircuitUnits::Paths);
    result.units = {{{0, 1}, std::nullopt, 0.75, NAN, engine::PathEnd{{1, 0}, engine::PathInput::Key}},
                    {{0, 1}, std::nullopt, kOneThird, NAN, engine::PathEnd{{1, 0}, engine::PathInput::Query}},
                    {{1, 1}, std::nullopt, 0, NAN, engine::PathEnd{}}};
    result.curve.clear();
    result.refined.clear();
    result.check = analyses::EstimateCheck{3, kOneThird, 0.5};
    return result;
}

/// As it comes back from a file.
Json stored(const Json& json)
{
    return parseJson(json.dump(), "test");
}

template <class Read>
auto readFrom(const Json& json, Read&& read)
{
    const Json again = stored(json);
    return read(JsonReader(again, "part.json", "make it again"));
}

template <class Read>
std::string refusal(const Json& json, Read&& read)
{
    try {
        readFrom(json, read);
    } catch (const Failure& failure) {
        CHECK(failure.error().code == ErrorCode::BadFile);
        return failure.error().message;
    }
    return {};
}

/// Replaces each value in turn by something that does not belong there, or leaves it out: only Failure may
/// result.
template <class Read>
void spoilEach(const Json& json, Read&& read)
{
    const Json flat = json.flatten();
    const Json wrong[] = {nullptr, -1, 1e300, 1ull << 63, "x", Json::array(), Json::object(), true};
    for (const auto& [path, value] : flat.items())
        for (const Json& other : wrong) {
            Json spoilt = json;
            spoilt[Json::json_pointer(path)] = other;
            try {
                readFrom(spoilt, read);
            } catch (const Failure& failure) {
                CHECK(failure.error().message.starts_with("part.json"));
                CHECK(failure.error().message.ends_with("; make it again."));
            }
        }
    for (const auto& [key, value] : json.items()) {
        Json lacking = json;
        lacking.erase(key);
        CHECK(refusal(lacking, read).find("lacks \"" + key + "\"") != std::string::npos);
    }
    for (const Json& other : wrong)
        CHECK_FALSE(refusal(other, read).empty());
}

}  // namespace

TEST_CASE("sweeps and circuits with MLPs come back from JSON, where an MLP has its name for a number")
{
    analyses::Sweep swept;
    swept.shape = {2, 3, 1};
    swept.kind = analyses::SweepUnits::HeadsAndMlps;
    swept.units = analyses::unitsOf(swept.kind, swept.shape);
    swept.changes.resize(8);
    const Json json = analyses::toJson(swept);
    CHECK(json["changes"][3]["head"] == "MLP");
    CHECK(readFrom(json, analyses::sweepFrom).units == swept.units);
    Json moved = json;
    moved["changes"][3]["head"] = 3;
    CHECK_THROWS_AS(readFrom(moved, analyses::sweepFrom), Failure);

    analyses::Circuit found = circuit(analyses::CircuitUnits::HeadsAndMlps);
    found.units[0].head = HeadId::mlpOf(1);
    CHECK(readFrom(analyses::toJson(found), analyses::circuitFrom).units[0].head == HeadId::mlpOf(1));
    found.kind = analyses::CircuitUnits::Heads;
    CHECK_THROWS_AS(readFrom(analyses::toJson(found), analyses::circuitFrom), Failure);
}

TEST_CASE("results come back from JSON as they were written, to the last bit")
{
    const Json swept = analyses::toJson(sweep());
    CHECK(analyses::toJson(readFrom(swept, analyses::sweepFrom)) == swept);
    for (const analyses::CircuitUnits kind : {analyses::CircuitUnits::Heads, analyses::CircuitUnits::Edges}) {
        const Json found = analyses::toJson(circuit(kind));
        CHECK(analyses::toJson(readFrom(found, analyses::circuitFrom)) == found);
    }
    const Json found = analyses::toJson(paths());
    CHECK(analyses::toJson(readFrom(found, analyses::circuitFrom)) == found);
}

TEST_CASE("what is read back is the value that was written, not only its JSON")
{
    const analyses::Sweep swept = readFrom(analyses::toJson(sweep()), analyses::sweepFrom);
    CHECK(swept.shape == sweep().shape);
    CHECK(swept.kind == analyses::SweepUnits::Groups);
    CHECK(swept.method == analyses::SweepMethod::Mean);
    CHECK(swept.units == sweep().units);
    CHECK(swept.baseline.logitDifference == kOneThird);
    CHECK(std::isnan(swept.changes[3].probability));
    CHECK(swept.changes[3].divergence == 1.7);

    const analyses::Circuit found = readFrom(analyses::toJson(circuit()), analyses::circuitFrom);
    CHECK(found.units[1] == circuit().units[1]);
    CHECK(std::isnan(found.units[0].removal));
    CHECK(found.curve == circuit().curve);
    CHECK(found.none == circuit().none);
    CHECK(found.refined == circuit().refined);
    CHECK(found.ranking == analyses::CircuitRanking::Gradient);

    const analyses::Circuit ofPaths = readFrom(analyses::toJson(paths()), analyses::circuitFrom);
    CHECK((ofPaths.check == paths().check));
    REQUIRE(ofPaths.units.size() == 3);
    CHECK((ofPaths.units[1].to == paths().units[1].to));
    CHECK((ofPaths.units[2].to == paths().units[2].to));
}

TEST_CASE("a result that somebody spoilt is refused in a sentence, never trusted")
{
    spoilEach(analyses::toJson(sweep()), analyses::sweepFrom);
    spoilEach(analyses::toJson(circuit()), analyses::circuitFrom);
}

TEST_CASE("counts that do not fit together are refused")
{
    Json json = analyses::toJson(sweep());
    std::swap(json["changes"][0], json["changes"][1]);
    CHECK_FALSE(refusal(json, analyses::sweepFrom).empty());
    json = analyses::toJson(circuit());
    json["units"][1]["layer"] = 2;
    CHECK_FALSE(refusal(json, analyses::circuitFrom).empty());
    json = analyses::toJson(circuit());
    json["units"][1] = json["units"][0];
    CHECK(refusal(json, analyses::circuitFrom).find("twice") != std::string::npos);
    json = analyses::toJson(circuit());
    json["curve"][2][0] = 1;
    CHECK_FALSE(refusal(json, analyses::circuitFrom).empty());
    json = analyses::toJson(circuit());
    json["units"][0]["key"] = 3;
    CHECK_FALSE(refusal(json, analyses::circuitFrom).empty());
}
