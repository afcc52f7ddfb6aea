#include "model/model_locator.h"

#include "core/model/locator_support.h"
#include "model/hub_cache.h"

#include <chrono>

using namespace hs;
using namespace hs::test;
using namespace std::string_literals;
namespace fs = std::filesystem;

TEST_CASE("a Hugging Face folder is found from itself and from each of its files")
{
    const TempDir folder;
    folder.write("config.json", "{}");
    folder.write("tokenizer.json", "{}");
    folder.write("README.md", "");
    folder.write("model.safetensors", kSafetensors);
    folder.write("pytorch_model.bin", kZip);
    folder.write("training_args.bin", kZip);
    const model::ModelFiles files = found(folder.path());
    CHECK(files.folder == folder.path());
    CHECK(files.config == folder / "config.json");
    CHECK(files.tokenizerFolder == folder.path());
    CHECK(files.format == model::ModelFiles::Format::Safetensors);
    CHECK(files.weights == std::vector{folder / "model.safetensors"});
    CHECK(files.shardOf.empty());
    for (const char* name : {"config.json", "tokenizer.json", "README.md", "model.safetensors"})
        CHECK(found(folder / name) == files);
    CHECK(found(folder.path().string() + "//") == files);

    model::Environment environment;
    environment.home = folder.path().parent_path().string();
    CHECK(found("~/" + folder.path().filename().string(), environment).weights == files.weights);
}

TEST_CASE("the demo pair is found by name where the program's own models lie, wherever that is")
{
    const TempDir folder;
    model::Environment environment;
    environment.shippedModels = folder.path();
    CHECK(contains(refusal("demo:dense", environment), "reinstall"));
    folder.write("demo-dense/config.json", "{}");
    folder.write("demo-dense/model.safetensors", kSafetensors);
    CHECK(found("demo:dense", environment) == found(folder / "demo-dense"));
    for (const char* const name : {"demo:", "demo:medium", "demo:../demo-dense", "demo:dense/config.json"})
        CHECK(contains(refusal(name, environment), "use demo:dense or demo:sparse"));
    for (const std::string name : {"demo:dense", "demo:sparse"})
        CHECK(found(name, model::Environment::fromProcess()).folder.filename() == "demo-" + name.substr(5));
}

TEST_CASE("a state dict is opened as the file that was named")
{
    const TempDir folder;
    folder.write("model.safetensors", kSafetensors);
    folder.write("config.json", "{}");
    folder.write("pytorch_model.bin", kZip);
    const model::ModelFiles files = found(folder / "pytorch_model.bin");
    CHECK(files.format == model::ModelFiles::Format::StateDict);
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
    const model::ModelFiles files = found(folder.path());
    CHECK(files.format == model::ModelFiles::Format::StateDict);
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
    folder.write(index,
                 R"({"metadata":{"total_size":9,"deep":[[{}]]},"weight_map":{"a":"s2","b":"s1","c":"s2"}})");
    folder.write("s1", isSafetensors ? kSafetensors : kZip);
    folder.write("s2", isSafetensors ? kSafetensors : kZip);
    const model::ModelFiles files = found(folder.path());
    CHECK(files.format ==
          (isSafetensors ? model::ModelFiles::Format::Safetensors : model::ModelFiles::Format::StateDict));
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
    CHECK(contains(refusal(folder.path()),
                   "lacks 100 of 100 weights files, \"s100\", \"s101\", \"s102\" and 97 more"));
}

TEST_CASE("an index cannot reach outside its folder or hide what it holds")
{
    const std::string map = GENERATE(
        R"({"weight_map":{"a":"/etc/passwd"}})"s, R"({"weight_map":{"a":"../secret"}})"s,
        R"({"weight_map":{"a":"sub/file"}})"s, R"({"weight_map":{"a":".."}})"s,
        R"({"weight_map":{"a":"."}})"s, R"({"weight_map":{"a":""}})"s, R"({"weight_map":{"a":"b\\c"}})"s,
        R"({"weight_map":{"a":"b\u0000c"}})"s, R"({"weight_map":{"a":1}})"s, R"({"weight_map":{"a":null}})"s,
        R"({"weight_map":{"a":["b"]}})"s, R"({"weight_map":{"a":{"b":"c"}}})"s, R"({"weight_map":["a"]})"s,
        R"({"weight_map":"a"})"s, R"({"weight_map":{}})"s, R"({"weight_map":{"a":"s","a":"s"}})"s,
        R"({"weight_map":{"a":"s"},"weight_map":{"b":"s"}})"s, "{}"s, "[]"s, "1"s, ""s, "{"s, "\xFF"s,
        R"({"metadata":)"s + std::string(5'000'000, '[') + "}");
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
    const model::ModelFiles files = found("org/name", cache.environment());
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
    model::Environment environment;
    environment.home = "/users/me";
    CHECK(environment.hubCache() == "/users/me/.cache/huggingface/hub");
    environment.xdgCacheHome = "/xdg";
    CHECK(environment.hubCache() == "/xdg/huggingface/hub");
    environment.hfHome = "~/hf";
    CHECK(environment.hubCache() == "/users/me/hf/hub");
    environment.legacyHubCache = "/legacy";
    CHECK(environment.hubCache() == "/legacy");
    environment.hfHubCache = "/cache";
    CHECK(environment.hubCache() == "/cache");
}
