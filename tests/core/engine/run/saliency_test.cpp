#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/npz.h"

#include <cmath>

using namespace hs;
using hs::test::NpyArray;

namespace {

engine::SaliencyRequest requestOn(const std::string& golden)
{
    engine::SaliencyRequest request;
    request.run.model = test::openGolden(golden);
    request.run.tokens = {3, 14, 15, 9, 26, 5, 3, 14, 58, 9, 7};
    request.target = 12;
    request.versus = 40;
    return request;
}

engine::Saliency saliencyWith(engine::SaliencyRequest request, int steps)
{
    request.steps = steps;
    return test::value(engine::Engine().saliency(request));
}

std::string refusal(const engine::SaliencyRequest& request)
{
    const auto refused = engine::Engine().saliency(request);
    REQUIRE_FALSE(refused);
    return refused.error().message;
}

}  // namespace

TEST_CASE("saliency is what torch's automatic differentiation of the same model finds")
{
    const std::string name = GENERATE(as<std::string>(), "gpt2", "llama-grouped");
    INFO(name);
    const std::filesystem::path golden = test::goldenModels().parent_path();
    const std::map<std::string, NpyArray> expected = test::readNpz(golden / "saliency" / (name + ".npz"));
    const auto number = [&](const char* key) { return expected.at(key).as<std::int64_t>().at(0); };
    engine::SaliencyRequest request;
    request.run.model = test::openGolden(name);
    request.run.tokens =
        test::readNpz(golden / "models" / name / "expected.npz").at("tokens").as<std::int64_t>();
    request.run.capture.position = static_cast<int>(number("position"));
    request.target = number("target");
    request.versus = number("versus");
    request.steps = static_cast<int>(number("steps"));
    if (number("baseline") >= 0)
        request.baseline = number("baseline");
    const engine::Saliency saliency = test::value(engine::Engine().saliency(request));

    CHECK(saliency.position == *request.run.capture.position);
    CHECK(saliency.logit == Approx(expected.at("logit").as<double>().at(0)).margin(1e-4));
    CHECK(saliency.baselineLogit == Approx(expected.at("baseline_logit").as<double>().at(0)).margin(1e-4));
    const std::vector<double> gradient = expected.at("gradient_x_input").as<double>();
    const std::vector<double> integrated = expected.at("integrated").as<double>();
    REQUIRE(saliency.gradientTimesInput.size() == gradient.size());
    REQUIRE(saliency.integrated.size() == integrated.size());
    for (std::size_t token = 0; token < gradient.size(); ++token) {
        CHECK(saliency.gradientTimesInput[token] == Approx(gradient[token]).epsilon(1e-3).margin(1e-4));
        CHECK(saliency.integrated[token] == Approx(integrated[token]).epsilon(1e-3).margin(1e-4));
    }
}

TEST_CASE("integrated gradients add up to the difference of the logits, closer with more steps")
{
    const std::string name = GENERATE(from_range(test::goldenNames()));
    INFO(name);
    engine::SaliencyRequest request = requestOn(name);
    request.run.capture.position = 8;
    SECTION("from the mean of the embeddings") {}
    SECTION("from a token, with heads switched off")
    {
        request.baseline = 8;
        request.run.ablations[{0, 1}] = {};
        request.run.ablations[{1, 0}] = {engine::HeadAblation::Kind::Mean, {}};
        request.run.ablations[HeadId::mlpOf(0)] = {engine::HeadAblation::Kind::Mean, {}};
    }
    double coarse = 0;
    for (const int steps : {2, 4, 8})
        coarse = std::max(coarse, std::abs(saliencyWith(request, steps).error()));
    const engine::Saliency fine = saliencyWith(request, 256);
    const double difference = fine.logit - fine.baselineLogit;
    INFO(coarse << " then " << fine.error() << " of " << difference);
    CHECK(std::abs(fine.error()) < 0.02 * std::abs(difference) + 5e-3);
    CHECK(std::abs(fine.error()) < coarse / 4 + 1e-3);
    // Nothing at the position reads what comes later, but for a mean over all positions.
    for (std::size_t token = 9; token < fine.integrated.size(); ++token)
        CHECK((fine.integrated[token] == 0) == request.run.ablations.empty());
}

TEST_CASE("a saliency's logits are those of the run and of a prompt of baselines")
{
    engine::SaliencyRequest request = requestOn("qwen2");
    request.baseline = 7;
    request.steps = 1;
    request.run.capture.watched = {request.target, *request.versus};
    engine::Engine engine;
    const engine::Saliency saliency = test::value(engine.saliency(request));
    const auto differenceIn = [&](const engine::RunRequest& run) {
        const engine::RunResult result = test::value(engine.run(run));
        return result.watched[0].logit - result.watched[1].logit;
    };
    CHECK(saliency.logit == Approx(differenceIn(request.run)).margin(1e-5));
    engine::RunRequest baseline = request.run;
    std::ranges::fill(baseline.tokens, 7);
    CHECK(saliency.baselineLogit == Approx(differenceIn(baseline)).margin(1e-5));
}

TEST_CASE("gradients pass cells that are cut, with a gate that never closes as without one")
{
    for (const std::string change : {"[4<2]", "[4<*]:renormalise", "[*<1]:scale=0.5"}) {
        INFO(change);
        engine::SaliencyRequest request = requestOn("gpt2");
        const HeadChange parsed = test::value(parseHeadChange(change));
        request.run.ablations[{1, 0}] = {parsed.kind, nullptr, nullptr, parsed.cells};
        request.steps = 2;
        engine::Engine engine;
        const engine::Saliency plain = test::value(engine.saliency(request));
        request.run.gate = engine::ScoreGate{1e6};
        CHECK(test::value(engine.saliency(request)).gradientTimesInput == plain.gradientTimesInput);
    }
}

TEST_CASE("a saliency that cannot be computed is refused in a sentence, and stops when it is told to")
{
    engine::SaliencyRequest request = requestOn("gpt2");
    request.steps = 0;
    CHECK(refusal(request).find("at least one step") != std::string::npos);
    request.steps = 1;
    request.baseline = 61;
    CHECK(refusal(request).find("cannot be the baseline") != std::string::npos);
    request.baseline.reset();
    request.target = 61;
    CHECK(refusal(request).find("from 0 to 60") != std::string::npos);
    request.target = *request.versus;
    CHECK(refusal(request).find("choose another") != std::string::npos);
    std::stop_source stop;
    stop.request_stop();
    CHECK(engine::Engine().saliency(requestOn("gpt2"), {{}, stop.get_token()}).error().code ==
          ErrorCode::Cancelled);
}
