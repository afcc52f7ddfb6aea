#include "core/model/locator_support.h"

using namespace hs;
using namespace hs::test;
using namespace std::string_literals;
namespace fs = std::filesystem;

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
    for (const char* where :
         {"/no/such/folder", "./gpt2", "a/b/c", "../x/y", "a--b", "-a", "a/..", "org/.hidden", "with space"})
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

TEST_CASE("a folder cannot choose files outside of it by a link")
{
    const TempDir others, folder;
    others.write("secret", "{}");
    others.write("weights", kSafetensors);
    const auto link = [&](const char* to, const char* name) {
        fs::create_symlink(others / to, folder / name);
    };
    SECTION("config.json")
    {
        link("secret", "config.json");
        folder.write("model.safetensors", kSafetensors);
    }
    SECTION("weights")
    {
        link("weights", "model.safetensors");
        // Naming a link means what it leads to.
        CHECK(found(folder / "model.safetensors").weights == std::vector{folder / "model.safetensors"});
    }
    SECTION("weights of any name, by way of another link")
    {
        link("weights", "first");
        fs::create_symlink("first", folder / "mine.safetensors");
    }
    SECTION("a shard")
    {
        folder.write("model.safetensors.index.json", R"({"weight_map":{"a":"s1"}})");
        link("weights", "s1");
    }
    SECTION("the index")
    {
        others.write("index", R"({"weight_map":{"a":"s1"}})");
        link("index", "model.safetensors.index.json");
        folder.write("s1", kSafetensors);
    }
    CHECK(contains(refusal(folder.path()), "is a link out of the model's folder"));
}

TEST_CASE("a snapshot cannot be a folder elsewhere")
{
    const TempDir elsewhere;
    elsewhere.write("config.json", "{}");
    elsewhere.write("model.safetensors", kSafetensors);
    const Cache cache;
    fs::create_directories(cache.entry() / "snapshots");
    fs::create_symlink(elsewhere.path(), cache.snapshot("aaa"));
    CHECK(contains(refusal(cache.entry()), "is a link out of the model's folder"));
    cache.setMain("aaa");
    CHECK(contains(refusal("org/name", cache.environment()), "is a link out of the model's folder"));
}

TEST_CASE("links inside a model's folder and into the download cache's blobs are followed")
{
    const Cache cache;
    cache.addSnapshot("aaa");
    CHECK(found(cache.snapshot("aaa")).weights.size() == 1);

    const TempDir folder;
    folder.write("config.json", "{}");
    folder.write("real/weights", kSafetensors);
    fs::create_symlink("real/weights", folder / "model.safetensors");
    CHECK(found(folder.path()).weights.size() == 1);
    fs::remove(folder / "model.safetensors");
    fs::create_symlink(cache.entry() / "blobs" / "waaa", folder / "model.safetensors");
    CHECK(found(folder.path()).weights.size() == 1);
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
        {"model.gguf", "GGUF\3", "ends within its version"},
        {"model.gguf", "??", "does not begin as a GGUF file"},
        {"model.safetensors", "GGUF\3", "ends within its version"},
        {"pytorch_model.bin", "GGUF\3", "ends within its version"},
        {"ggml-model.bin", "tjgg", "before GGUF"},
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
    SECTION("empty")
    {
        CHECK(contains(refusal(folder.path()), "is empty; download"));
    }
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
