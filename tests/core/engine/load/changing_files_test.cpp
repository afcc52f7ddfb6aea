// A model's files change while it is loaded.
#include "base/failure.h"
#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/temp_dir.h"

#include <fstream>

using namespace hs;
namespace fs = std::filesystem;

namespace {

/// Loads a copy of a golden model; `meanwhile` is called with its folder when loading is half done.
Result<std::shared_ptr<const engine::Model>> loadWhile(const std::string& golden, const test::TempDir& folder,
                                                       const std::function<void(const fs::path&)>& meanwhile)
{
    const fs::path copy = folder / "model";
    fs::create_directory(copy);
    for (const auto& entry : fs::directory_iterator(test::goldenModels() / golden))
        fs::copy_file(entry.path(), copy / entry.path().filename());
    bool isDone = false;
    Hooks hooks;
    hooks.progress = [&](int done, int total) {
        if (done >= total / 2 && !std::exchange(isDone, true))
            meanwhile(copy);
    };
    auto loaded =
        engine::loadModel(test::value(model::locateModel(copy.string(), {})), test::testOptions(), hooks);
    REQUIRE(isDone);
    return loaded;
}

fs::path weightsIn(const fs::path& folder)
{
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".safetensors" || entry.path().extension() == ".pth" ||
            entry.path().extension() == ".pt" || entry.path().extension() == ".bin")
            return entry.path();
    FAIL("no weights in " << folder);
    return {};
}

}  // namespace

TEST_CASE("weights that are cut off while they are loaded are refused in a sentence", "[fault]")
{
    const std::string golden = GENERATE("gpt2", "nanogpt");
    const test::TempDir folder;
    const auto loaded =
        loadWhile(golden, folder, [](const fs::path& model) { fs::resize_file(weightsIn(model), 100); });
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().message.find("was changed while it was read") != std::string::npos);
    CHECK(loaded.error().message.find("open it again") != std::string::npos);
}

TEST_CASE("weights that are written to while they are loaded are refused in a sentence", "[fault]")
{
    const test::TempDir folder;
    const auto loaded = loadWhile("gpt2", folder, [](const fs::path& model) {
        std::ofstream(weightsIn(model), std::ios::app | std::ios::binary) << "more";
    });
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().message.find("was changed while it was read") != std::string::npos);
}

TEST_CASE("a model whose folder vanishes while it is loaded is loaded all the same", "[fault]")
{
    const test::TempDir folder;
    const auto loaded = loadWhile("gpt2", folder, [](const fs::path& model) {
        for (const auto& entry : fs::directory_iterator(model))
            fs::remove(entry.path());
        fs::remove(model);
    });
    CHECK(loaded);
}

TEST_CASE("a folder that vanished before it is read is named in a sentence", "[fault]")
{
    const test::TempDir folder;
    fs::create_directory(folder / "model");
    for (const auto& entry : fs::directory_iterator(test::goldenModels() / "gpt2"))
        fs::copy_file(entry.path(), folder / "model" / entry.path().filename());
    const model::ModelFiles files = test::value(model::locateModel((folder / "model").string(), {}));
    fs::rename(folder / "model", folder / "elsewhere");
    const auto loaded = engine::loadModel(files, test::testOptions());
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().message.find((folder / "model").string()) != std::string::npos);
    CHECK(loaded.error().message.find("check the path") != std::string::npos);
}
