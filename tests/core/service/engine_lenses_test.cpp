#include "engine/request/gate_choice.h"
#include "service/engine_backend.h"
#include "service/engine_request.h"
#include "service/lens_json.h"
#include "service/result_trees.h"
#include "support/models.h"

using namespace hs;
using namespace hs::test;

namespace {

/// The sparse demo, asked about its first example.
struct LensBench {
    service::EngineBackend backend;
    service::AnalysisRequest request;

    explicit LensBench(service::AnalysisKind kind)
    {
        request.kind = kind;
        request.side.model = value(backend.open({"demo:sparse", "cpu", "auto"}, {}));
        request.side.gate = engine::chooseGate({}, request.side.model->ownGateBias);
        request.side.prompt = "When Mary and John went to the store , John gave a drink to";
        request.heads = {{4, 3}};
    }
    template <class Found>
    Found found(const service::OnAnalysisPart& onPart = {})
    {
        return std::get<Found>(value(backend.analyse(request, {}, onPart)));
    }
    std::int64_t tokenOf(const std::string& text) { return service::tokenOf(request.side, text); }
};

remote::Tree travelled(const service::AnalysisResult& result)
{
    return remote::decodeTree(remote::encodeTree(service::toTree(result)));
}

}  // namespace

TEST_CASE("a prompt's lens ends with what the run predicts, and without a target follows it")
{
    LensBench bench(service::AnalysisKind::Lens);
    const service::SideResult run = value(bench.backend.run(Side::Left, bench.request.side, {}, {}));
    const auto lens = bench.found<service::PromptLens>();
    REQUIRE(lens.layers.size() == 9);
    const engine::LensReading& answer = lens.layers.back().positions.back();
    CHECK(answer.position == 14);
    CHECK(answer.top.size() == 5);
    CHECK(answer.top.front().token == run.after.predictions.front().token);
    CHECK(answer.top.front().probability == Approx(run.after.predictions.front().probability));
    CHECK(lens.target == answer.top.front().token);
    CHECK(answer.watched.front().rank == 1);

    bench.request.side.target = "John";
    bench.request.lens.withHalves = true;
    const auto halves = bench.found<service::PromptLens>();
    CHECK(halves.target == bench.tokenOf("John"));
    CHECK(halves.layers.size() == 17);
    CHECK(halves.layers.back().positions.back().top == answer.top);
    const Json json = service::jsonOf(halves);
    CHECK(json["layers"][1]["layer"] == 0.5);
    CHECK(json["layers"][16]["positions"][14]["top"][0]["id"] == answer.top.front().token);
}

TEST_CASE("a lens follows ablations")
{
    LensBench bench(service::AnalysisKind::Lens);
    bench.request.side.target = "Mary";
    const auto rankOf = [&] {
        return bench.found<service::PromptLens>().layers.back().positions.back().watched.front().rank;
    };
    CHECK(rankOf() == 1);
    bench.request.side.ablations[{4, 3}] = engine::HeadAblation::Kind::Zero;
    CHECK(rankOf() > 1);
}

TEST_CASE("saliency adds up to what the prompt does for the logit, of the target or against another")
{
    LensBench bench(service::AnalysisKind::Saliency);
    bench.request.side.gate.reset();  // what it does has no gradient
    bench.request.side.target = "Mary";
    bench.request.side.distractor = "John";
    bench.request.lens.steps = 256;
    const auto saliency = bench.found<engine::Saliency>();
    CHECK(saliency.position == 14);
    CHECK(saliency.integrated.size() == 15);
    CHECK(saliency.gradientTimesInput.size() == 15);
    CHECK(std::abs(saliency.error()) < 0.02 * std::abs(saliency.logit - saliency.baselineLogit));
    const service::SideResult run = value(bench.backend.run(Side::Left, bench.request.side, {}, {}));
    CHECK(saliency.logit == Approx(run.target.after.logit - run.distractor.after.logit).margin(1e-3));
}

TEST_CASE("a head's words are those of the cell asked for, and come one after the other")
{
    LensBench bench(service::AnalysisKind::HeadWords);
    std::vector<service::HeadWords> parts;
    const auto keep = [&](const service::AnalysisResult& part) {
        parts.push_back(std::get<service::HeadWords>(part));
    };
    const auto all = bench.found<service::HeadWords>(keep);
    REQUIRE(parts.size() == 2);
    CHECK_FALSE(parts[0].onPrompt.tokens.most.empty());
    CHECK(parts[0].sought.most.empty());
    CHECK_FALSE(parts[1].copying);
    CHECK(all.copying);
    CHECK_FALSE(all.onPrompt.key);
    CHECK(all.onPrompt.query == 14);
    CHECK(all.key == 10);  // the second John, to which the head looks
    CHECK(all.keyToken == bench.tokenOf("John"));
    CHECK(all.queryToken == bench.tokenOf("to"));
    CHECK(all.onPrompt.tokens.most.front().token == bench.tokenOf("Mary"));

    bench.request.side.position = 10;
    bench.request.lens.key = 2;
    const auto cell = bench.found<service::HeadWords>();
    CHECK(cell.onPrompt.query == 10);
    CHECK(cell.onPrompt.key == 2);
    CHECK(cell.keyToken == bench.tokenOf("Mary"));
}

TEST_CASE("lenses that are cancelled give the error that says so")
{
    for (const service::AnalysisKind kind :
         {service::AnalysisKind::Lens, service::AnalysisKind::Saliency, service::AnalysisKind::HeadWords}) {
        LensBench bench(kind);
        bench.request.side.target = "Mary";
        std::stop_source stop;
        stop.request_stop();
        const auto result = bench.backend.analyse(bench.request, {{}, stop.get_token()}, {});
        REQUIRE_FALSE(result);
        CHECK(result.error().code == ErrorCode::Cancelled);
    }
}

TEST_CASE("what lenses find is the same after it travelled, and refused where it names what is not there")
{
    const HeadShape shape{8, 8, 8};
    for (const service::AnalysisKind kind :
         {service::AnalysisKind::Lens, service::AnalysisKind::Saliency, service::AnalysisKind::HeadWords}) {
        LensBench bench(kind);
        const remote::Tree sent = travelled(value(bench.backend.analyse(bench.request, {}, {})));
        CHECK(travelled(service::analysisResultFrom(remote::reader(sent), kind, shape)) == sent);
        const auto refuses = [&](const char* field, int number) {
            remote::Tree changed = sent;
            changed[field] = number;
            return !guarded([&] {
                        return service::analysisResultFrom(remote::reader(changed), kind, shape);
                    }).ok();
        };
        CHECK(refuses("count", 1 << 20));
        if (kind == service::AnalysisKind::Lens)
            CHECK(refuses("listed", 0));
        if (kind == service::AnalysisKind::HeadWords)
            CHECK(refuses("key", 15));
    }
}
