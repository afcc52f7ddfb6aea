#include "model/found_models.h"

#include "core/model/locator_support.h"

#include <algorithm>

using namespace hs;
using namespace hs::test;
namespace fs = std::filesystem;

namespace {

const std::string kTensor = R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
const std::string kWeightsFile = safetensorsBytes(kTensor, "12345678");

std::string configOf(const std::string& family)
{
    return R"({"model_type":")" + family +
           R"(","num_hidden_layers":3,"num_attention_heads":4,"hidden_size":8,"intermediate_size":16,)"
           R"("vocab_size":10,"max_position_embeddings":32})";
}

void addModel(const TempDir& folder, const fs::path& name, const std::string& family = "llama")
{
    folder.write(name / "config.json", configOf(family));
    folder.write(name / "model.safetensors", kWeightsFile);
}

std::vector<std::string> namesOf(const std::vector<model::FoundModel>& models)
{
    std::vector<std::string> names;
    for (const model::FoundModel& each : models)
        names.push_back((each.problem.empty() ? "" : "! ") + each.name);
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a found model is described by its config and its files' sizes")
{
    const TempDir folder;
    addModel(folder, "small");
    const auto models = model::foundModels({(folder / "small").string()}, {}).named;
    REQUIRE(models.size() == 1);
    CHECK(models[0].name == "small");
    CHECK(models[0].family == "llama");
    REQUIRE(models[0].spec);
    CHECK(models[0].spec->headShape() == HeadShape{3, 4, 4});
    CHECK(models[0].bytesOnDisk == kWeightsFile.size());
    CHECK(models[0].problem.empty());
}

TEST_CASE("every model of the download cache is listed, those that cannot be opened last and with the remedy")
{
    const Cache cache("models--org--good");
    const TempDir& hub = cache.folder();
    addModel(hub, "models--org--good/snapshots/c1");
    addModel(hub, "models--gpt2/snapshots/c2");
    addModel(hub, "models--org--encoder/snapshots/c3", "bert");
    hub.write("models--org--weightless/snapshots/c4/config.json", configOf("llama"));
    hub.write("models--org--begun/blobs/w.incomplete", "");
    fs::create_directories(hub / "models--org--begun/snapshots");
    hub.write("models--org--cut/snapshots/c5/config.json", configOf("llama"));
    hub.write("models--org--cut/snapshots/c5/model.safetensors",
              kWeightsFile.substr(0, kWeightsFile.size() - 1));
    addModel(hub, "models--org--garbled/snapshots/c6");
    hub.write("models--org--garbled/snapshots/c6/config.json", "{\"model_type\": 7, ");
    addModel(hub, "datasets--org--texts/snapshots/c7");
    addModel(hub, "models--..--etc/snapshots/c8");
    hub.write("version.txt", "1");

    const auto models = model::foundModels({}, cache.environment()).downloaded;
    CHECK(namesOf(models) == Names{"gpt2", "org/good", "! org/begun", "! org/cut", "! org/encoder",
                                   "! org/garbled", "! org/weightless"});
    const auto problemOf = [&](const std::string& name) {
        return std::ranges::find(models, name, &model::FoundModel::where)->problem;
    };
    CHECK(contains(problemOf("org/begun"), "hf download org/begun"));
    CHECK(contains(problemOf("org/weightless"), "hf download org/weightless"));
    CHECK(contains(problemOf("org/cut"), "download it again"));
    CHECK(contains(problemOf("org/encoder"), "not supported; these are"));
    const auto weightless = std::ranges::find(models, "org/weightless", &model::FoundModel::where);
    CHECK(weightless->spec);  // known all the same
    for (const model::FoundModel& each : models)
        if (each.problem.empty())
            CHECK(model::locateModel(each.where, cache.environment()));
    CHECK(model::foundModels({}, {}).downloaded.empty());
}

TEST_CASE("models beside the named ones are found, and links in a circle end")
{
    const TempDir folder;
    addModel(folder, "models/a");
    addModel(folder, "models/b");
    addModel(folder, "models/org/c");
    addModel(folder, "models/.hidden");
    addModel(folder, "models/org/deep/er/d");
    folder.write("models/web/config.json", R"({"port": 80})");
    folder.write("models/notes.txt", "");
    folder.write("models/noise.bin", "\x01\x02\x03");
    folder.write("models/alone.pt", kZip);
    folder.write("models/begun/config.json", configOf("llama"));
    fs::create_directory_symlink(folder / "models", folder / "models/org/circle");
    fs::create_directory_symlink("self", folder / "models/self");
    fs::create_directory_symlink(folder / "models/b", folder / "models/same-as-b");

    const auto found = model::foundModels({(folder / "models/a").string(), "demo:medium", "/no/such"}, {});
    CHECK(namesOf(found.named) == Names{"a", "! Demo, medium", "! no"});
    CHECK(namesOf(found.beside) == Names{"alone", "b", "c", "! begun"});
    CHECK(namesOf(model::foundModels({(folder / "models/alone.pt").string()}, {}).beside) ==
          Names{"a", "b", "c", "! begun"});
}

TEST_CASE("no model is listed twice, however it is named")
{
    const Cache cache("models--org--name");
    addModel(cache.folder(), "models--org--name/snapshots/c1");
    const auto found = model::foundModels(
        {"org/name", cache.entry().string(), cache.snapshot("c1").string() + "/"}, cache.environment());
    CHECK(namesOf(found.named) == Names{"org/name"});
    CHECK(found.downloaded.empty());
    CHECK(found.beside.empty());
}

TEST_CASE("a folder of thousands of things is looked at in part")
{
    const TempDir folder;
    addModel(folder, "a");
    for (int number = 0; number < 300; ++number)
        addModel(folder, "m" + std::to_string(number));
    const auto beside = model::foundModels({(folder / "a").string()}, {}).beside;
    CHECK(beside.size() == 200);
}
