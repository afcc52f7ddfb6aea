#include "model/checkpoint.h"

#include "core/model/safetensors_bytes.h"
#include "model/model_locator.h"
#include "model/safetensors_writer.h"
#include "support/catch.h"
#include "support/temp_dir.h"

using namespace hs;
using namespace hs::test;

namespace {

struct NamedBytes {
    std::string name;
    std::string bytes;
};

void writeShard(const std::filesystem::path& file, const std::vector<NamedBytes>& tensors)
{
    std::vector<model::TensorSpec> specs;
    for (const NamedBytes& tensor : tensors)
        specs.push_back({tensor.name, model::DType::U8, {static_cast<std::int64_t>(tensor.bytes.size())}});
    auto writer = model::SafetensorsWriter::create(file, specs);
    for (const NamedBytes& tensor : tensors)
        writer.write(tensor.name, asBytes(tensor.bytes));
    writer.finish();
}

Error openingError(const TempDir& folder)
{
    const auto files = model::locateModel(folder.path().string(), {});
    REQUIRE(files);
    return errorOf([&] { model::SafetensorsCheckpoint::open(*files); });
}

}  // namespace

TEST_CASE("a split checkpoint reads as one table")
{
    const TempDir folder;
    folder.write("model.safetensors.index.json", R"({"weight_map":{"a":"s1","c":"s1","b":"s2"}})");
    writeShard(folder / "s1", {{"c", "ccc"}, {"a", "aa"}});
    writeShard(folder / "s2", {{"b", ""}, {"unlisted", "u"}});
    auto opened = model::SafetensorsCheckpoint::open(*model::locateModel(folder.path().string(), {}));
    const model::SafetensorsCheckpoint checkpoint = std::move(opened);

    CHECK(checkpoint.names() == std::vector<std::string_view>{"a", "b", "c", "unlisted"});
    CHECK(asText(checkpoint.bytes("a")) == "aa");
    CHECK(asText(checkpoint.bytes("c")) == "ccc");
    checkpoint.release("c");
    CHECK(asText(checkpoint.bytes("c")) == "ccc");
    CHECK(checkpoint.bytes("b").empty());
    REQUIRE(checkpoint.find("c"));
    CHECK(checkpoint.find("c")->shape == std::vector<std::int64_t>{3});
    CHECK(checkpoint.find("d") == nullptr);
    CHECK(contains(errorOf([&] { checkpoint.bytes("d"); }).message, "\"d\""));
}

TEST_CASE("a tensor in two shards is refused")
{
    const TempDir folder;
    folder.write("model.safetensors.index.json", R"({"weight_map":{"a":"s1","b":"s2"}})");
    writeShard(folder / "s1", {{"a", "1"}});
    writeShard(folder / "s2", {{"a", "2"}, {"b", "3"}});
    CHECK(contains(openingError(folder).message, "\"a\" is in two weights files"));
}

TEST_CASE("tensors that the index names and no shard or the wrong one has are listed")
{
    const TempDir folder;
    folder.write("model.safetensors.index.json",
                 R"({"weight_map":{"a":"s1","b":"s1","gone":"s2","c":"s2"}})");
    writeShard(folder / "s1", {{"a", "1"}});
    writeShard(folder / "s2", {{"b", "2"}, {"c", "3"}});
    const std::string message = openingError(folder).message;
    CHECK(contains(message, "lack 2 tensors that their index names, \"b\" and \"gone\"; download"));
}

TEST_CASE("an adapter is recognised by its tensors under any name")
{
    const TempDir folder;
    writeShard(folder / "model.safetensors", {{"base_model.model.h.0.attn.c_attn.lora_A.weight", "1"}});
    CHECK(contains(openingError(folder).message, "merge_and_unload"));
}

TEST_CASE("a damaged file says so in its own words")
{
    const TempDir folder;
    folder.write("model.safetensors", "nonsense that is long enough");
    CHECK(contains(openingError(folder).message, "download it again"));
}
