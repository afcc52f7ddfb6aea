#include "engine/analysis_json.h"

#include "analysis/metric_table.h"
#include "base/failure.h"
#include "support/catch.h"

#include <cmath>

using namespace hs;

namespace {

constexpr double kThird = 1.0 / 3.0;  // needs every digit

Sweep sweep()
{
    Sweep result;
    result.shape = {2, 4, 2};
    result.kind = SweepUnits::Groups;
    result.method = SweepMethod::Mean;
    result.baseline = {1.5, kThird, 0.25, NAN, 0};
    for (int layer = 0; layer < 2; ++layer)
        for (int group = 0; group < 2; ++group) {
            result.units.push_back({layer, group});
            result.changes.push_back({-kThird, 1e-300, NAN, layer + 0.1, group + 0.7});
        }
    return result;
}

Circuit circuit(CircuitUnits kind = CircuitUnits::Edges)
{
    const auto cell = [&](int query, int key) {
        return kind == CircuitUnits::Edges ? std::optional(CellId{query, key}) : std::nullopt;
    };
    Circuit result;
    result.shape = {2, 2, 1};
    result.tokens = 3;
    result.kind = kind;
    result.ranking = CircuitRanking::Gradient;
    result.clean = 10 * kThird;
    result.corrupted = -2;
    result.none = -2.0000000001;
    result.units = {{{1, 0}, cell(2, 1), 0.75, NAN}, {{0, 1}, cell(1, 1), -kThird, 0.125}};
    result.curve = {{0, 0}, {1, kThird}, {2, 1}};
    result.level = 0.9;
    result.smallest = 2;
    result.refined = {1};
    return result;
}

Attribution attribution()
{
    Attribution result;
    result.shape = {1, 2, 2};
    result.position = 2;
    result.logit = kThird;
    result.probability = 0.5;
    result.heads = {0.1, -kThird};
    result.edges = {{{0, 1}, 2, -0.4}, {{0, 0}, 0, 0.1}};
    result.parts = {{AttributionPart::Kind::Embedding, 0, 0, 0.1},
                    {AttributionPart::Kind::Head, 0, 1, -kThird},
                    {AttributionPart::Kind::Mlp, 0, 0, 0.2},
                    {AttributionPart::Kind::FinalBias, 0, 0, 0}};
    return result;
}

HeadScatter scatter()
{
    return scatterOf(2, {{0, 0}, {3, 1}, {0, 2}}, {{0.1f, 0.7f, 0.3f}, {1, 0, 1}, {0.5f, 0.5f, 0.5f}});
}

Comparison comparison()
{
    HeadStats stats;
    double value = kThird;
    for (const Metric& metric : allMetrics())
        metric.set(stats, value += 1);
    HeadStats none;
    none.induction = NAN;
    Comparison result;
    result.first = {0.5, NAN, kThird, 1, 12345678901, 3, 4};
    result.pairs = {{{0, 1}, stats, none, {kThird, 0.1}}, {{1, 0}, stats, stats, {0, 0}}};
    return result;
}

TokenFlow flow()
{
    TokenFlowBuilder builder(2, 2, kThird);
    const float pattern[] = {1, 0, 0.4f, 0.6f};
    builder.add({0, 1}, pattern);
    builder.add({1, 0}, pattern);
    return builder.finish();
}

/// As it comes back from a file.
Json stored(const Json& json)
{
    return parseJson(json.dump(), "test");
}

template <class Read>
std::string refusal(const Json& json, Read&& read)
{
    try {
        read(stored(json), "part.json");
    } catch (const Failure& failure) {
        CHECK(failure.error().code == ErrorCode::BadFile);
        return failure.error().message;
    }
    return {};
}

/// Every value in turn replaced by what does not belong there, or left out: nothing but Failure may come
/// of it.
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
                read(stored(spoilt), "part.json");
            } catch (const Failure& failure) {
                CHECK(failure.error().message.starts_with("part.json "));
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

TEST_CASE("results come back from JSON as they were written, to the last bit")
{
    const Json swept = toJson(sweep());
    CHECK(toJson(sweepFrom(stored(swept), "test")) == swept);
    for (const CircuitUnits kind : {CircuitUnits::Heads, CircuitUnits::Edges}) {
        const Json found = toJson(circuit(kind));
        CHECK(toJson(circuitFrom(stored(found), "test")) == found);
    }
    const Json attributed = toJson(attribution());
    CHECK(toJson(attributionFrom(stored(attributed), "test")) == attributed);
    const Json scattered = toJson(scatter());
    CHECK(toJson(scatterFrom(stored(scattered), "test")) == scattered);
    const Json compared = toJson(comparison());
    CHECK(toJson(comparisonFrom(stored(compared), "test")) == compared);
    const Json flown = toJson(flow());
    CHECK(toJson(flowFrom(stored(flown), "test")) == flown);
}

TEST_CASE("what is read back is the value that was written, not only its JSON")
{
    const Sweep swept = sweepFrom(stored(toJson(sweep())), "test");
    CHECK(swept.shape == sweep().shape);
    CHECK(swept.kind == SweepUnits::Groups);
    CHECK(swept.method == SweepMethod::Mean);
    CHECK(swept.units == sweep().units);
    CHECK(swept.baseline.logitDifference == kThird);
    CHECK(std::isnan(swept.changes[3].probability));
    CHECK(swept.changes[3].divergence == 1.7);

    const Circuit found = circuitFrom(stored(toJson(circuit())), "test");
    CHECK(found.units[1] == circuit().units[1]);
    CHECK(std::isnan(found.units[0].removal));
    CHECK(found.curve == circuit().curve);
    CHECK(found.none == circuit().none);
    CHECK(found.refined == circuit().refined);
    CHECK(found.ranking == CircuitRanking::Gradient);

    const Attribution attributed = attributionFrom(stored(toJson(attribution())), "test");
    CHECK(attributed.heads == attribution().heads);
    CHECK(attributed.edges == attribution().edges);
    CHECK(attributed.parts == attribution().parts);

    const HeadScatter scattered = scatterFrom(stored(toJson(scatter())), "test");
    CHECK(scattered.heads == scatter().heads);
    CHECK(scattered.weights == scatter().weights);
    CHECK(scattered.clusters == scatter().clusters);
    CHECK(scattered.correlation(0, 1) == scatter().correlation(0, 1));
    CHECK(std::isnan(scattered.correlation(2, 1)));

    const Comparison compared = comparisonFrom(stored(toJson(comparison())), "test");
    CHECK(compared.first.offDiagonalAboveHalf == 12345678901);
    CHECK(compared.pairs[1].first == comparison().pairs[1].first);
    CHECK(std::isnan(compared.pairs[0].second.induction));
    CHECK(compared.pairs[0].distance == comparison().pairs[0].distance);

    const TokenFlow flown = flowFrom(stored(toJson(flow())), "test");
    CHECK(flown.edges == flow().edges);
    CHECK(flown.ways == flow().ways);
    CHECK(flown.threshold == kThird);
}

TEST_CASE("a result that somebody spoilt is refused in a sentence, never trusted")
{
    spoilEach(toJson(sweep()), sweepFrom);
    spoilEach(toJson(circuit()), circuitFrom);
    spoilEach(toJson(attribution()), attributionFrom);
    spoilEach(toJson(scatter()), scatterFrom);
    spoilEach(toJson(comparison()), comparisonFrom);
    spoilEach(toJson(flow()), flowFrom);
}

TEST_CASE("counts that do not fit together are refused")
{
    Json json = toJson(sweep());
    std::swap(json["changes"][0], json["changes"][1]);
    CHECK_FALSE(refusal(json, sweepFrom).empty());
    json = toJson(circuit());
    json["units"][1]["layer"] = 2;
    CHECK_FALSE(refusal(json, circuitFrom).empty());
    json = toJson(circuit());
    json["units"][1] = json["units"][0];
    CHECK(refusal(json, circuitFrom).find("twice") != std::string::npos);
    json = toJson(circuit());
    json["curve"][2][0] = 1;
    CHECK_FALSE(refusal(json, circuitFrom).empty());
    json = toJson(circuit());
    json["units"][0]["key"] = 3;
    CHECK_FALSE(refusal(json, circuitFrom).empty());
    json = toJson(attribution());
    json["heads"][1] = json["heads"][0];
    CHECK(refusal(json, attributionFrom).find("twice") != std::string::npos);
    json = toJson(scatter());
    json["weights"][1].push_back(0.5);
    CHECK_FALSE(refusal(json, scatterFrom).empty());
    json = toJson(scatter());
    json["clusters"][1] = 3;
    CHECK_FALSE(refusal(json, scatterFrom).empty());
    json = toJson(flow());
    json["length"] = 3;
    CHECK_FALSE(refusal(json, flowFrom).empty());
    json = toJson(flow());
    json["edges"][0]["layer"] = 2;
    CHECK_FALSE(refusal(json, flowFrom).empty());
}
