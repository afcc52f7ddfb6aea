#include "engine/load/weights_tensors.h"
#include "engine/run/engine.h"
#include "model/checkpoint.h"
#include "model/safetensors_writer.h"
#include "model/weight_plan.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/temp_dir.h"

using namespace hs;
namespace fs = std::filesystem;

namespace {

model::ModelFiles filesIn(const fs::path& folder)
{
    return test::value(model::locateModel(folder.string(), {}));
}

std::shared_ptr<const engine::Model> opened(const fs::path& folder)
{
    return test::value(engine::loadModel(filesIn(folder), {}));
}

bool isOf(std::string_view name, const model::PlannedPart& part)
{
    return name == part.name || name.ends_with("." + part.name);
}

/// A golden model in one file that says it stays as it is, its tensors in the order in which the decoder joins them.
void writeUnchanging(const std::string& golden, const model::ArchSpec& spec, const fs::path& folder)
{
    const fs::path from = test::goldenModels() / golden;
    fs::copy_file(from / "config.json", folder / "config.json");
    const auto checkpoint = model::SafetensorsCheckpoint::open(filesIn(from));
    std::vector<model::TensorSpec> tensors;
    for (const model::PlannedTensor& planned : model::planWeights(spec))
        for (const model::PlannedPart& part : planned.parts)
            for (const std::string_view name : checkpoint.names())
                if (isOf(name, part)) {
                    const model::TensorInfo& info = *checkpoint.find(name);
                    tensors.push_back({info.name, info.dtype, info.shape});
                }
    auto writer = model::SafetensorsWriter::create(folder / "model.safetensors", tensors,
                                                   {{model::kUnchanging, "true"}});
    for (const model::TensorSpec& tensor : tensors)
        writer.write(tensor.name, checkpoint.bytes(tensor.name));
    writer.finish();
}

const char* dataOf(const at::Tensor& tensor)
{
    return static_cast<const char*>(tensor.data_ptr());
}

}  // namespace

TEST_CASE("weights of a file that stays as it is are used where they lie, with the same results")
{
    const std::string golden = GENERATE(as<std::string>(), "llama-grouped", "qwen2", "qwen3");
    CAPTURE(golden);
    const auto copied = opened(test::goldenModels() / golden);
    const test::TempDir folder;
    writeUnchanging(golden, copied->spec(), folder.path());
    const auto inPlace = opened(folder.path());

    const auto file = model::SafetensorsFile::open(folder / "model.safetensors");
    std::vector<std::pair<std::uint64_t, const char*>> places;  // in the file, in memory
    for (const model::PlannedTensor& planned : model::planWeights(copied->spec()))
        if (planned.arrangement == model::Arrangement::Stacked && planned.role >= model::Role::QkvWeight)
            for (const model::TensorInfo& info : file.tensors())
                if (isOf(info.name, planned.parts.front()))
                    places.emplace_back(info.offset,
                                        dataOf(inPlace->weights().at(planned.layer, planned.role)));
    REQUIRE(places.size() > 2);
    for (const auto& [offset, data] : places)
        CHECK(data - places.front().second == static_cast<std::ptrdiff_t>(offset - places.front().first));

    engine::Engine engine;
    engine::RunRequest request;
    request.tokens = {3, 1, 4, 1, 5};
    request.capture.logits = true;
    request.model = copied;
    const engine::RunResult expected = test::value(engine.run(request));
    request.model = inPlace;
    const engine::RunResult result = test::value(engine.run(request));
    REQUIRE_FALSE(expected.logits.empty());
    CHECK(result.logits == expected.logits);
}

TEST_CASE("weights in use outlive the file that they lie in")
{
    const auto copied = test::openGolden("llama-grouped");
    std::shared_ptr<const engine::Model> model;
    {
        const test::TempDir folder;
        writeUnchanging("llama-grouped", copied->spec(), folder.path());
        model = opened(folder.path());
    }
    engine::Engine engine;
    engine::RunRequest request;
    request.model = model;
    request.tokens = {3, 1, 4, 1, 5};
    CHECK(engine.run(request));
}
