#include "base/json_reader.h"
#include "service/analysis.h"
#include "service/command_words.h"
#include "service/engine_backend.h"
#include "service/request_trees.h"
#include "support/adapters.h"
#include "support/mentions.h"

using namespace hs;

namespace {

/// A backend, the dense demo model and an adapter of it.
struct AdaptedSide {
    AdaptedSide()
    {
        const auto base = test::openOnce("demo-dense");
        Json config = test::adapterConfig();
        config["base_model_name_or_path"] = dense;
        folder =
            test::writeAdapterFolder(files / "tuned", config, test::randomFactors(base->spec(), 4)).string();
    }

    service::SideRequest request(const std::string& source, std::vector<engine::AdapterChoice> adapters = {})
    {
        service::SideRequest made;
        made.model = test::value(backend.open({source, "cpu", "auto"}, {}));
        made.prompt = "When Mary and John went to the store , John gave a drink to";
        made.adapters = std::move(adapters);
        return made;
    }
    service::SideResult run(const service::SideRequest& request)
    {
        return test::value(backend.run(Side::Left, request, {}, {}));
    }

    std::string dense = HS_SOURCE_DIR "/resources/models/demo-dense";
    test::TempDir files;
    std::string folder;
    service::EngineBackend backend;
};

}  // namespace

TEST_CASE("a side's adapters are in its run and in the run before ablation")
{
    AdaptedSide side;
    const service::SideResult plain = side.run(side.request(side.dense));
    service::SideRequest request = side.request(side.dense, {{side.folder, 1}});
    const service::SideResult adapted = side.run(request);
    CHECK(adapted.after.loss != plain.after.loss);
    CHECK(adapted.before.loss == adapted.after.loss);
    request.ablations[{0, 0}] = {};
    const service::SideResult ablated = side.run(request);
    CHECK(ablated.before.loss == adapted.after.loss);
    CHECK(ablated.after.loss != adapted.after.loss);
    request.adapters.front().strength = 0;
    CHECK(side.run(request).before.loss == plain.after.loss);
}

TEST_CASE("an adapter that was opened by its folder is in every run unless it is named")
{
    AdaptedSide side;
    const service::SideRequest own = side.request(side.folder);
    CHECK(own.model->title == "tuned");
    CHECK(own.model->ownAdapter == side.folder);
    CHECK(side.request(side.dense).model->ownAdapter.empty());
    CHECK(side.run(own).after.loss == side.run(side.request(side.dense, {{side.folder, 1}})).after.loss);
    CHECK(side.run(side.request(side.folder, {{side.folder, 0.5}})).after.loss ==
          side.run(side.request(side.dense, {{side.folder, 0.5}})).after.loss);
    CHECK(side.run(side.request(side.folder, {{side.folder, 0}})).after.loss ==
          side.run(side.request(side.dense)).after.loss);
}

TEST_CASE("a side's adapters travel to another machine, into keys and onto command lines")
{
    AdaptedSide side;
    const service::SideRequest request = side.request(side.dense, {{side.folder, 0.5}, {"other", 1}});
    const remote::Tree tree = service::toTree(request);
    const service::SideRequest arrived = service::sideRequestFrom(
        JsonReader(tree, "request", "ask again"), [&](const service::OpenRequest&) { return request.model; });
    CHECK(arrived.adapters == request.adapters);
    CHECK(test::mentions(test::value(service::commandOf(request)),
                         "--adapter " + side.folder + ":0.5 --adapter other"));

    service::AnalysisRequest analysis;
    analysis.side = request;
    const std::string key = service::keyOf(analysis);
    analysis.side.adapters.front().strength = 0.25;
    CHECK(service::keyOf(analysis) != key);
    analysis.side.adapters.clear();
    CHECK(key.find("adapters") != std::string::npos);
    CHECK(service::keyOf(analysis).find("adapters") == std::string::npos);
}

TEST_CASE("an adapter that is not there is said in the side's answer")
{
    AdaptedSide side;
    const auto refused = side.backend.run(Side::Left, side.request(side.dense, {{"/nowhere", 1}}), {}, {});
    REQUIRE_FALSE(refused);
    CHECK(test::mentions(refused.error().message, "There is no adapter at \"/nowhere\""));
}
