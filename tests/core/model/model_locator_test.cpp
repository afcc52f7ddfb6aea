#include "model/model_locator.h"

#include "core/model/safetensors_bytes.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <chrono>

using namespace hs;
using namespace hs::test;
using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

const std::string kSafetensors = safetensorsBytes("{}");
const std::string kZip = "PK\x03\x04 and more";
const std::string kLegacyTorch = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."s;
const std::string kPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";

/// The model found, which must be there.
ModelFiles found(const fs::path& where, const Environment& environment = {})
{
    const auto files = locateModel(where.string(), environment);
    INFO((files ? "" : files.error().message));
    REQUIRE(files);
    return *files;
}

/// The refusal, which must name a remedy and be one sentence.
std::string refusal(const fs::path& where, const Environment& environment = {})
{
    const auto files = locateModel(where.string(), environment);
    REQUIRE_FALSE(files);
    CHECK(files.error().code != ErrorCode::Internal);
    CHECK(files.error().message.ends_with("."));
    CHECK(contains(files.error().message, "; "));
    return files.error().message;
}

/// A cache with one downloaded model, as huggingface_hub lays it out.
class Cache {
public:
    explicit Cache(const std::string& entry = "models--org--name") : m_entry(entry) {}

    void addSnapshot(const std::string& commit) const
    {
        m_folder.write(m_entry / "blobs" / ("w" + commit), kSafetensors);
        m_folder.write(m_entry / "snapshots" / commit / "config.json", "{}");
        fs::create_symlink("../../blobs/w" + commit, snapshot(commit) / "model.safetensors");
    }
    void setMain(const std::string& text) const { m_folder.write(m_entry / "refs" / "main", text); }
    fs::path entry() const { return m_folder / m_entry; }
    fs::path snapshot(const std::string& commit) const { return entry() / "snapshots" / commit; }
    const TempDir& folder() const { return m_folder; }
    Environment environment() const
    {
        Environment environment;
        environment.hfHubCache = m_folder.path().string();
        return environment;
    }

private:
    TempDir m_folder;
    fs::path m_entry;
};

}  // namespace

TEST_CASE("a Hugging Face folder is found from itself and from each of its files")
{
    const TempDir folder;
    folder.write("config.json", "{}");
    folder.write("tokenizer.json", "{}");
    folder.write("README.md", "");
    folder.write("model.safetensors", kSafetensors);
    folder.write("pytorch_model.bin", kZip);
    folder.write("training_args.bin", kZip);
    const ModelFiles files = found(folder.path());
    CHECK(files.folder == folder.path());
    CHECK(files.config == folder / "config.json");
    CHECK(files.tokenizerFolder == folder.path());
    CHECK(files.format == ModelFiles::Format::Safetensors);
    CHECK(files.weights == std::vector{folder / "model.safetensors"});
    CHECK(files.shardOf.empty());
    for (const char* name : {"config.json", "tokenizer.json", "README.md", "model.safetensors"})
        CHECK(found(folder / name) == files);
    CHECK(found(folder.path().string() + "//") == files);

    Environment environment;
    environment.home = folder.path().parent_path().string();
    CHECK(found("~/" + folder.path().filename().string(), environment).weights == files.weights);
}

TEST_CASE("a state dict is opened as the file that was named")
{
    const TempDir folder;
    folder.write("model.safetensors", kSafetensors);
    folder.write("config.json", "{}");
    folder.write("pytorch_model.bin", kZip);
    const ModelFiles files = found(folder / "pytorch_model.bin");
    CHECK(files.format == ModelFiles::Format::StateDict);
    CHECK(files.weights == std::vector{folder / "pytorch_model.bin"});
    CHECK(files.config == folder / "config.json");
}

TEST_CASE("a folder with one state dict of any name is a model")
{
    const char* const name = GENERATE("final.pth", "model.pt", "weights.bin", "pytorch_model.bin");
    const TempDir folder;
    folder.write(name, kZip);
    folder.write("optimizer.pt", kZip);
    folder.write("rng_state.pth", kZip);
    const ModelFiles files = found(folder.path());
    CHECK(files.format == ModelFiles::Format::StateDict);
    CHECK(files.weights == std::vector{folder / name});
    CHECK(files.config.empty());
    CHECK(files.tokenizerFolder.empty());
    folder.write("other.pth", kZip);
    if (name != "pytorch_model.bin"s)
        CHECK(contains(refusal(folder.path()), "give the path of the one to open"));
}

TEST_CASE("a split model is found with all its shards")
{
    const bool isSafetensors = GENERATE(true, false);
    const TempDir folder;
    const std::string index = isSafetensors ? "model.safetensors.index.json" : "pytorch_model.bin.index.json";
    folder.write("config.json", "{}");
    folder.write(index, R"({"metadata":{"total_size":9,"deep":[[{}]]},"weight_map":{"a":"s2","b":"s1","c":"s2"}})");
    folder.write("s1", isSafetensors ? kSafetensors : kZip);
    folder.write("s2", isSafetensors ? kSafetensors : kZip);
    const ModelFiles files = found(folder.path());
    CHECK(files.format == (isSafetensors ? ModelFiles::Format::Safetensors : ModelFiles::Format::StateDict));
    CHECK(files.weights == std::vector{folder / "s1", folder / "s2"});
    CHECK(files.shardOf.at("c") == "s2");
    CHECK(found(folder / "s1") == files);
    CHECK(found(folder / index) == files);

    folder.write("s2", isSafetensors ? kZip : kSafetensors);
    CHECK(contains(refusal(folder.path()), "mixes"));
    fs::remove(folder / "s2");
    const std::string message = refusal(folder.path());
    CHECK(contains(message, "lacks 1 of 2 weights files, \"s2\""));
    CHECK(contains(message, "hf download"));
}

TEST_CASE("many missing shards are counted, not listed")
{
    const TempDir folder;
    std::string map;
    for (int i = 100; i < 200; ++i)
        map += (map.empty() ? "" : ",") + ("\"t" + std::to_string(i) + "\":\"s" + std::to_string(i) + "\"");
    folder.write("model.safetensors.index.json", "{\"weight_map\":{" + map + "}}");
    CHECK(contains(refusal(folder.path()), "lacks 100 of 100 weights files, \"s100\", \"s101\", \"s102\" and 97 more"));
}

TEST_CASE("an index cannot reach outside its folder or hide what it holds")
{
    const std::string map = GENERATE(
        R"({"weight_map":{"a":"/etc/passwd"}})"s, R"({"weight_map":{"a":"../secret"}})"s,
        R"({"weight_map":{"a":"sub/file"}})"s, R"({"weight_map":{"a":".."}})"s, R"({"weight_map":{"a":"."}})"s,
        R"({"weight_map":{"a":""}})"s, R"({"weight_map":{"a":"b\\c"}})"s, R"({"weight_map":{"a":"b\u0000c"}})"s,
        R"({"weight_map":{"a":1}})"s, R"({"weight_map":{"a":null}})"s, R"({"weight_map":{"a":["b"]}})"s,
        R"({"weight_map":{"a":{"b":"c"}}})"s, R"({"weight_map":["a"]})"s, R"({"weight_map":"a"})"s, R"({"weight_map":{}})"s,
        R"({"weight_map":{"a":"s","a":"s"}})"s, R"({"weight_map":{"a":"s"},"weight_map":{"b":"s"}})"s, "{}"s, "[]"s, "1"s,
        ""s, "{"s, "\xFF"s, R"({"metadata":)"s + std::string(5'000'000, '[') + "}");
    INFO(map.substr(0, 100));
    const TempDir folder;
    folder.write("s", kSafetensors);
    folder.write("secret", kSafetensors);
    folder.write("inner/model.safetensors.index.json", map);
    folder.write("inner/s", kSafetensors);
    CHECK(contains(refusal(folder / "inner"), "download it again"));
}

TEST_CASE("a downloaded model is found by name, entry, snapshot and file")
{
    const Cache cache;
    cache.addSnapshot("aaa");
    cache.addSnapshot("bbb");
    cache.setMain("aaa\n");
    const ModelFiles files = found("org/name", cache.environment());
    CHECK(files.weights == std::vector{cache.snapshot("aaa") / "model.safetensors"});
    CHECK(files.folder == cache.snapshot("aaa"));
    CHECK(found(cache.entry()) == files);
    CHECK(found(cache.entry() / "snapshots") == files);
    CHECK(found(cache.snapshot("aaa")) == files);
    CHECK(found(cache.snapshot("aaa") / "model.safetensors") == files);
    CHECK(found(cache.snapshot("aaa") / "config.json") == files);
    CHECK(found(cache.snapshot("bbb")).folder == cache.snapshot("bbb"));
}

TEST_CASE("without a usable refs/main the newest snapshot counts")
{
    const std::string main = GENERATE(""s, "gone"s, "../../.."s, "/"s, ".."s);
    const Cache cache("models--gpt2");
    cache.addSnapshot("old");
    cache.addSnapshot("new");
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(cache.snapshot("new"), now);
    fs::last_write_time(cache.snapshot("old"), now - std::chrono::hours(1));
    if (!main.empty())
        cache.setMain(main);
    CHECK(found("gpt2", cache.environment()).folder == cache.snapshot("new"));
}

TEST_CASE("the cache is looked for where huggingface_hub puts it")
{
    Environment environment;
    environment.home = "/home/me";
    CHECK(environment.hubCache() == "/home/me/.cache/huggingface/hub");
    environment.xdgCacheHome = "/xdg";
    CHECK(environment.hubCache() == "/xdg/huggingface/hub");
    environment.hfHome = "~/hf";
    CHECK(environment.hubCache() == "/home/me/hf/hub");
    environment.legacyHubCache = "/legacy";
    CHECK(environment.hubCache() == "/legacy");
    environment.hfHubCache = "/cache";
    CHECK(environment.hubCache() == "/cache");
}

TEST_CASE("a model that is not downloaded is refused with the command that downloads it")
{
    const Cache cache;
    for (const char* name : {"org/other", "gpt2", "EleutherAI/pythia-70m_x.1"}) {
        const std::string message = refusal(name, cache.environment());
        CHECK(contains(message, "`hf download "s + name + "`"));
        CHECK(contains(message, "`huggingface-cli download "s + name + "`"));
        CHECK(contains(message, cache.folder().path().string()));
    }
}

TEST_CASE("what is no path and can be no name is not looked for in the cache")
{
    const Cache cache;
    for (const char* where : {"/no/such/folder", "./gpt2", "a/b/c", "../x/y", "a--b", "-a", "a/..", "org/.hidden", "with space"})
        CHECK(contains(refusal(where, cache.environment()), "check the path"));
    CHECK(contains(refusal("", cache.environment()), "give its folder"));
}

TEST_CASE("an unfinished download is refused with the command that continues it")
{
    const Cache cache;
    SECTION("no snapshot yet")
    {
        fs::create_directories(cache.entry() / "snapshots");
    }
    SECTION("a part beside the blobs")
    {
        cache.folder().write(cache.snapshot("aaa") / "config.json", "{}");
        cache.folder().write(cache.entry() / "blobs" / "123.incomplete", "x");
    }
    SECTION("config.json alone")
    {
        cache.folder().write(cache.snapshot("aaa") / "config.json", "{}");
    }
    SECTION("weights linked to a blob that is gone")
    {
        cache.addSnapshot("aaa");
        fs::remove(cache.entry() / "blobs" / "waaa");
    }
    SECTION("config.json linked to a blob that is gone")
    {
        cache.addSnapshot("aaa");
        fs::remove(cache.snapshot("aaa") / "config.json");
        fs::create_symlink("../../blobs/gone", cache.snapshot("aaa") / "config.json");
    }
    SECTION("an empty snapshot")
    {
        fs::create_directories(cache.snapshot("aaa"));
    }
    CHECK(contains(refusal("org/name", cache.environment()), "run `hf download org/name`"));
}

TEST_CASE("an unfinished download to a folder of the user's is recognised")
{
    const TempDir folder;
    folder.write("config.json", "{}");
    folder.write(".cache/huggingface/download/model.safetensors.abc.incomplete", "x");
    CHECK(contains(refusal(folder.path()), "did not finish; download the model again"));
}

TEST_CASE("weights that cannot be used are refused with what to do instead")
{
    struct Case {
        std::string name;
        std::string content;
        std::string remedy;
    };
    const std::string tar = std::string(257, 'x') + "ustar" + std::string(300, '\0');
    const std::vector<Case> cases = {
        {"model.gguf", "GGUF\3", "original safetensors folder"},
        {"model.gguf", "??", "original safetensors folder"},
        {"model.safetensors", "GGUF\3", "original safetensors folder"},
        {"pytorch_model.bin", "GGUF\3", "original safetensors folder"},
        {"weights", "GGUF\3", "original safetensors folder"},
        {"adapter_model.safetensors", kSafetensors, "merge_and_unload"},
        {"adapter_model.bin", kZip, "merge_and_unload"},
        {"tf_model.h5", "\x89HDF\r\n\x1a\n", "TensorFlow; use the safetensors or PyTorch version"},
        {"tf_model.h5", "??", "TensorFlow; use the safetensors or PyTorch version"},
        {"pytorch_model.bin", "\x89HDF\r\n\x1a\n", "TensorFlow; use the safetensors or PyTorch version"},
        {"flax_model.msgpack", "??", "Flax; use the safetensors or PyTorch version"},
        {"model.safetensors", "\x81\xa6params\x80", "Flax; use the safetensors or PyTorch version"},
        {"model.onnx", "??", "ONNX; use the safetensors or PyTorch version"},
        {"model.bin", "\x08\x07\x12\x07pytorch", "ONNX; use the safetensors or PyTorch version"},
        {"model.safetensors", kPointer, "git lfs pull"},
        {"pytorch_model.bin", kPointer, "git lfs pull"},
        {"weights", kPointer, "git lfs pull"},
        {"model.safetensors", "", "hf download"},
        {"model.safetensors", "<!DOCTYPE HTML><html>", "hf download"},
        {"pytorch_model.bin", kLegacyTorch, "save it again with torch.save"},
        {"final.pth", tar, "save it again with torch.save"},
        {"final.pth", "garbage", "give a safetensors file"},
        {"model.pt", "\x80\x04\x95", "give a safetensors file"},
    };
    for (const Case& bad : cases) {
        const TempDir folder;
        folder.write("config.json", "{}");
        folder.write(bad.name, bad.content);
        INFO(bad.name);
        CHECK(contains(refusal(folder.path()), bad.remedy));
        CHECK(contains(refusal(folder / bad.name), bad.remedy));
    }
}

TEST_CASE("a folder that is no model says why")
{
    const TempDir folder;
    SECTION("empty") { CHECK(contains(refusal(folder.path()), "is empty; download")); }
    SECTION("a tokenizer only")
    {
        folder.write("tokenizer.json", "{}");
        folder.write("special_tokens_map.json", "{}");
        CHECK(contains(refusal(folder.path()), "add config.json and model.safetensors"));
        CHECK(contains(refusal(folder / "tokenizer.json"), "add config.json and model.safetensors"));
    }
    SECTION("an adapter without its weights")
    {
        folder.write("adapter_config.json", "{}");
        CHECK(contains(refusal(folder / "adapter_config.json"), "merge_and_unload"));
    }
    SECTION("one model a level down")
    {
        folder.write("inner/config.json", "{}");
        CHECK(contains(refusal(folder.path()), "open " + (folder / "inner").string()));
    }
    SECTION("several models")
    {
        folder.write("one/config.json", "{}");
        folder.write("two/config.json", "{}");
        CHECK(contains(refusal(folder.path()), "\"one\" and \"two\"; choose one"));
    }
    SECTION("the whole cache")
    {
        folder.write("models--a--b/snapshots/x/config.json", "{}");
        folder.write("models--c/snapshots/y/config.json", "{}");
        CHECK(contains(refusal(folder.path()), "\"models--a--b\" and \"models--c\"; choose one"));
    }
    SECTION("something else")
    {
        folder.write("holiday.jpg", "?");
        fs::create_symlink("nowhere", folder / "link");
        CHECK(contains(refusal(folder.path()), "give the folder of a Hugging Face model"));
        CHECK(contains(refusal(folder.path()), "model.safetensors.index.json"));
        CHECK(contains(refusal(folder / "holiday.jpg"), "give a safetensors file"));
        CHECK(contains(refusal(folder / "link"), "incomplete; download"));
    }
}
