#include "features/coders/coder_writer.h"
#include "features/coders/transcoders_tensors.h"
#include "service/engine_backend.h"
#include "service/request_trees.h"
#include "support/models.h"
#include "support/temp_dir.h"

#include <cstring>

using namespace hs;
using namespace hs::test;

namespace {

constexpr int kFeatures = 16;

/// Random transcoders of a model, as files.
void writeCoders(const std::filesystem::path& folder, const model::ArchSpec& spec)
{
    at::manual_seed(3);
    features::CoderFacts facts;
    facts.layers = spec.layers;
    facts.width = spec.hidden;
    facts.features = kFeatures;
    facts.place = features::Place::MlpInput;
    for (int layer = 0; layer < spec.layers; ++layer) {
        features::CoderLayer weights;
        weights.encoder = at::randn({kFeatures, spec.hidden});
        weights.encoderBias = at::ones({kFeatures});
        weights.decoderBias = at::zeros({spec.hidden});
        features::writeCoderLayer(folder, facts, layer, weights, at::randn({kFeatures, spec.hidden}) * 0.3,
                                  model::DType::F32);
    }
    features::writeCoderCard(folder, facts, {"demo", {}, {}, 0});
}

}  // namespace

TEST_CASE("scaled features change a side's run, and the run before them stands beside")
{
    const TempDir folder;
    service::EngineBackend backend;
    service::SideRequest request;
    request.model = value(backend.open({HS_SOURCE_DIR "/resources/models/demo-dense", "cpu", "auto"}, {}));
    request.prompt = "When Mary and John went to the store , John gave a drink to";
    writeCoders(folder.path(), request.model->model->spec());
    const service::SideResult plain = value(backend.run(Side::Left, request, {}, {}));

    request.scaledIn = folder.path().string();
    for (int feature = 0; feature < kFeatures; ++feature)
        request.scales.push_back({{1, feature}, {}, 3});
    CHECK(request.isChanged());
    const service::SideResult scaled = value(backend.run(Side::Left, request, {}, {}));
    CHECK(scaled.before.predictions == plain.after.predictions);
    CHECK(scaled.after.predictions != plain.after.predictions);

    const int last = request.model->heads.layers - 1;
    const auto mapOf = [&](int layer, bool isBefore) {
        const service::MapQuery query{Side::Left, layer, engine::MapKind::Weights, isBefore};
        return value(backend.maps(request, query, {}));
    };
    const std::size_t bytes = plain.after.pattern().mapSize() * sizeof(float);
    CHECK(std::memcmp(mapOf(1, true).get(), mapOf(1, false).get(), bytes) == 0);
    CHECK(std::memcmp(mapOf(last, true).get(), mapOf(last, false).get(), bytes) != 0);

    // Scaled by one, they are as they were.
    for (FeatureScale& scale : request.scales)
        scale.factor = 1;
    CHECK(value(backend.run(Side::Left, request, {}, {})).after.predictions == plain.after.predictions);
}

TEST_CASE("scaled features reach another machine")
{
    auto model = std::make_shared<service::OpenModel>();
    model->heads = {4, 4, 4};
    service::SideRequest request;
    request.model = model;
    request.scales = {{{3, 120}, 5, 0.5}, {{0, 1}, {}, -2}};
    request.scaledIn = "/transcoders";
    const remote::Tree tree = service::toTree(request);
    const service::SideRequest read =
        service::sideRequestFrom(remote::reader(tree), [&](const service::OpenRequest&) { return model; });
    CHECK((read.scales == request.scales));
    CHECK(read.scaledIn == request.scaledIn);
}
