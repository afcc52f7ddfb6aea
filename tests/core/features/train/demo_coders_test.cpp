#include "unexplained.h"

#include "features/texts/known_texts.h"
#include "support/catch.h"
#include "support/models.h"
#include "train/task_batches.h"

using namespace hs;

namespace fs = std::filesystem;

TEST_CASE("the demo pair comes with transcoders that explain its MLPs, and their texts, in eight megabytes")
{
    std::uintmax_t bytes = 0;
    for (const char* const name : {"demo-dense", "demo-sparse"}) {
        INFO(name);
        const fs::path folder = fs::path(HS_SOURCE_DIR) / "resources/models" / name;
        const std::optional<fs::path> found = features::findTranscoders({}, folder);
        REQUIRE(found);
        for (const fs::directory_entry& entry : fs::directory_iterator(*found))
            bytes += entry.file_size();

        const std::shared_ptr<const engine::Model> model = test::value(engine::loadModel(
            test::value(model::locateModel(folder.string(), {})), {engine::Device{}, model::DType::F32}));
        const auto coders = test::value(features::openTranscoders(*found, model->spec()));
        CHECK(coders->facts().crossesLayers);
        features::KnownTexts texts(*found);
        CHECK(texts.notes().empty());
        CHECK(test::value(texts.textsOf({0, 134})).firesOn.size() >= 2);
        train::TaskBatchOptions rows;
        rows.heldOutPerTask = 4;
        const train::MeasuredModel measured{model->spec(), model->weights(), model->spec().gateBias};
        const features::MlpStreams streams = features::StreamReader(measured, 6, train::Operations::Fused)
                                                 .read(train::TaskBatches(rows).heldOut().front().batch);
        for (int layer = 0; layer < model->spec().layers; ++layer)
            CHECK(test::unexplained(*coders, streams, layer) < 0.15);
    }
    CHECK(bytes < 8'000'000);
}
