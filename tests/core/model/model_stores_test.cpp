#include "model/model_stores.h"

#include "core/gguf/gguf_bytes.h"
#include "core/model/locator_support.h"
#include "model/found_models.h"

#include <algorithm>

using namespace hs;
using namespace hs::test;
namespace fs = std::filesystem;

namespace {

const std::string kHash(64, 'a');
const std::string kModel = tinyGguf().bytes();

std::string manifestOf(const std::string& digest, std::size_t size,
                       const std::string& type = "application/vnd.ollama.image.model")
{
    return R"({"schemaVersion":2,"layers":[{"mediaType":"application/vnd.ollama.image.license","digest":"x"},)"
           R"({"mediaType":")" +
           type + R"(","digest":")" + digest + R"(","size":)" + std::to_string(size) + "}]}";
}

/// A store with one model and a manifest that the test chooses.
struct Store {
    TempDir folder;
    model::Environment environment;

    explicit Store(const std::string& manifest = manifestOf("sha256:" + kHash, kModel.size()),
                   const fs::path& name = "registry.ollama.ai/library/tiny/latest")
    {
        folder.write(fs::path("manifests") / name, manifest);
        folder.write("blobs/sha256-" + kHash, kModel);
        environment.ollamaModels = folder.path().string();
    }
};

}  // namespace

TEST_CASE("a model of Ollama's opens by its name, which becomes its title")
{
    const Store store;
    for (const char* const name : {"ollama:tiny", "ollama:tiny:latest", "ollama:library/tiny",
                                   "ollama:registry.ollama.ai/library/tiny:latest"}) {
        const model::ModelFiles files = found(name, store.environment);
        CHECK(files.format == model::ModelFiles::Format::Gguf);
        CHECK(files.weights == std::vector{store.folder / ("blobs/sha256-" + kHash)});
        CHECK(model::titleOf(files) == "tiny:latest F32");
    }
    const Store other(manifestOf("sha256:" + kHash, kModel.size()), "hf.co/org/repo/Q8_0");
    CHECK(model::titleOf(found("ollama:hf.co/org/repo:Q8_0", other.environment)) ==
          "hf.co/org/repo:Q8_0 F32");
    CHECK(model::modelsInStores(other.environment) == std::vector<std::string>{"ollama:hf.co/org/repo:Q8_0"});
}

TEST_CASE("names and manifests of Ollama's lead nowhere but into its store")
{
    const Store store;
    for (const char* const name : {"ollama:", "ollama:../../etc", "ollama:a/../b", "ollama:.hidden",
                                   "ollama:a/b/c/d/e", "ollama:tiny:../x", "ollama:ti ny"})
        CHECK(contains(refusal(name, store.environment), "is not a name of Ollama's"));
    CHECK(contains(refusal("ollama:other", store.environment), "ollama pull other:latest"));
    for (const std::string& digest :
         {std::string("sha256:../../../etc/passwd"), "sha256:" + std::string(63, 'a'),
          "sha256:" + std::string(64, 'g'), std::string("md5:") + kHash, std::string()})
        CHECK(contains(refusal("ollama:tiny", Store(manifestOf(digest, kModel.size())).environment),
                       "ollama pull"));
    const auto missing = manifestOf("sha256:" + std::string(64, 'b'), kModel.size());
    CHECK(contains(refusal("ollama:tiny", Store(missing).environment), "missing or incomplete"));
    CHECK(
        contains(refusal("ollama:tiny", Store(manifestOf("sha256:" + kHash, 7)).environment), "incomplete"));
    const auto tensors = manifestOf("sha256:" + kHash, kModel.size(), "application/vnd.ollama.image.tensor");
    CHECK(contains(refusal("ollama:tiny", Store(tensors).environment), "no weights in a GGUF file"));
    CHECK_FALSE(model::locateModel("ollama:tiny", Store("[").environment));
    CHECK_FALSE(model::locateModel("ollama:tiny", Store(std::string(2 << 20, ' ')).environment));
}

TEST_CASE("models of llama.cpp, LM Studio and Ollama are listed with those of the download cache")
{
    const TempDir home;
    home.write(".cache/llama.cpp/org_repo_m-Q8_0.gguf", kModel);
    home.write(".cache/llama.cpp/org_repo_m-Q8_0.gguf.etag", "x");
    home.write(".lmstudio/models/org/repo/big-00001-of-00002.gguf", kModel);
    home.write(".lmstudio/models/org/repo/big-00002-of-00002.gguf", kModel);
    home.write(".lmstudio/models/org/repo/mmproj-big.gguf", kModel);
    home.write(".lmstudio/models/org/repo/broken.gguf", "GGUF");
    fs::create_directory_symlink(home / ".lmstudio", home / ".lmstudio/models/around");
    home.write(".ollama/models/manifests/registry.ollama.ai/library/tiny/1b",
               manifestOf("sha256:" + kHash, kModel.size()));
    home.write(".ollama/models/blobs/sha256-" + kHash, kModel);
    home.write(".cache/huggingface/hub/models--org--two/snapshots/c/a-Q4_0.gguf", kModel);
    home.write(".cache/huggingface/hub/models--org--two/snapshots/c/a-F32.gguf", tinyGguf(1).bytes());
    model::Environment environment;
    environment.home = home.path().string();
    const model::FoundModels models = model::foundModels({}, environment);
    std::vector<std::string> names;
    for (const model::FoundModel& model : models.downloaded)
        names.push_back((model.problem.empty() ? "" : "! ") + model.name);
    std::ranges::sort(names);
    CHECK(names == std::vector<std::string>{"! broken", "big F32", "org/two F32", "org/two F32",
                                            "org_repo_m-Q8_0 F32", "tiny:1b F32"});
    const auto tiny = std::ranges::find(models.downloaded, "ollama:tiny:1b", &model::FoundModel::where);
    REQUIRE(tiny != models.downloaded.end());
    CHECK(tiny->family == "llama");
    REQUIRE(tiny->spec);
    CHECK(tiny->spec->headShape() == HeadShape{1, 2, 1});
    CHECK(tiny->bytesOnDisk == kModel.size());
}

TEST_CASE("a folder with one GGUF file is that model, and one with several asks which")
{
    const TempDir folder;
    folder.write("config.json", "{}");
    folder.write("one.gguf", kModel);
    folder.write("mmproj-one.gguf", kModel);
    const model::ModelFiles files = found(folder.path());
    CHECK(files.weights == std::vector{folder / "one.gguf"});
    CHECK(files.config.empty());
    CHECK(files.quantisation == "F32");
    CHECK(found(folder / "one.gguf") == files);
    folder.write("two.gguf", kModel);
    CHECK(contains(refusal(folder.path()), "give the path of the one to open"));
    folder.write("model.safetensors", kSafetensors);
    CHECK(found(folder.path()).format == model::ModelFiles::Format::Safetensors);
}
