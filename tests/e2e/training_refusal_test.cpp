#include "refusal.h"
#include "support/catch.h"
#include "support/skip.h"
#include "training_setup.h"

#include <sys/mount.h>
#include <unistd.h>

using namespace hs::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A disk that is soon full. Only an administrator can mount one.
class SmallDisk {
public:
    explicit SmallDisk(const fs::path& folder) : m_folder(folder)
    {
        fs::create_directories(folder);
        m_isThere = mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64k") == 0;
    }
    ~SmallDisk()
    {
        if (m_isThere)
            umount2(m_folder.c_str(), MNT_DETACH);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    bool isThere() const { return m_isThere; }

private:
    fs::path m_folder;
    bool m_isThere = false;
};

}  // namespace

TEST_CASE("a training that is typed wrongly exits with 2 and writes nothing")
{
    const TempDir folder;
    const std::string out = (folder / "out").string();
    CHECK(headscope({"train", "--out", out}).exitCode == 2);
    CHECK(headscope({"train", "--out", out, "--tasks", "--rate", "nan"}).exitCode == 2);
    CHECK(headscope({"sparsify", "--model", "demo:dense", "--out", out}).exitCode == 2);
    CHECK_FALSE(fs::exists(out));
}

TEST_CASE("a training that cannot begin is refused in one sentence")
{
    const TempDir folder;
    const std::string out = (folder / "out").string();
    const std::string text = folder.write("text.txt", "Mary gave a drink to John").string();
    const std::string tokenizer = wordTokenizer(folder, {"<s>", "?", "Mary", "John"}).string();
    const Words onText = {"train", "--out", out, "--data", text, "--device", "cpu"};
    requireRefusal(headscope(onText), "--tokenizer");
    requireRefusal(headscope(onText + Words{"--tokenizer", tokenizer}), "give more text");
    requireRefusal(headscope(onText + Words{"--tokenizer", (folder / "none").string()}), "none");
    requireRefusal(headscope({"train", "--out", out, "--data", (folder / "none.txt").string(), "--tokenizer",
                              tokenizer, "--device", "cpu"}),
                   "none.txt");

    const Words onTasks = {"train", "--out", out, "--tasks", "--device", "cpu"};
    const auto withConfig = [&](const std::string& config) {
        return headscope(onTasks + Words{"--config", folder.write("config.json", config).string()});
    };
    requireRefusal(headscope(onTasks + Words{"--config", (folder / "none.json").string()}), "none.json");
    requireRefusal(withConfig("[]"), "JSON object");
    requireRefusal(withConfig("{"), "config.json");
    requireRefusal(withConfig(R"({"model_type": "gpt2", "vocab_size": 100})"), "leave vocab_size out");
    requireRefusal(withConfig(R"({"model_type": "abacus"})"), "abacus");
    requireRefusal(withConfig(smallConfig(2, 2, 16, 16)), "longer context");
    requireRefusal(headscope(onTasks + Words{"--length", "65"}), "shorter --length");
    requireRefusal(headscope(onTasks + Words{"--length", "3"}), "raise --length");
    requireRefusal(headscope({"train", "--out", out, "--tasks", "--device", "cpu,cpu"}), "a single one");
    requireRefusal(headscope({"train", "--out", "", "--tasks", "--device", "cpu"}), "--out is empty");
    requireRefusal(withConfig(smallConfig(1000, 64, 65536)), "smaller model");
    requireRefusal(headscope(onTasks + Words{"--dtype", "bf16"}), "leave out --dtype");
    requireRefusal(headscope(onTasks + Words{"--resume"}), "no checkpoint to resume");
    requireRefusal(headscope({"train", "--out", text, "--tasks", "--device", "cpu"}), "choose another --out");
}

TEST_CASE("a model that cannot be made sparse is refused in one sentence")
{
    const TempDir folder;
    const auto sparsified = [&](const fs::path& model, const Words& more) {
        return headscope(Words{"sparsify", "--model", model.string(), "--out", (folder / "out").string(),
                               "--device", "cpu"} +
                         more);
    };
    fs::copy(golden("gpt2"), folder / "gpt2", fs::copy_options::recursive);
    requireRefusal(headscope({"sparsify", "--model", (folder / "gpt2").string(), "--out",
                              (folder / "gpt2/.").string(), "--self", "0.01", "--device", "cpu"}),
                   "choose another --out");
    requireRefusal(sparsified(golden("nanogpt-args"), {"--self", "0.01"}), "no config.json");
    requireRefusal(sparsified(folder / "gpt2", {"--tasks"}), "was not made for the built-in tasks");
    requireRefusal(sparsified(folder / "gpt2", {"--data", "text.txt"}), "has no tokenizer");
    requireRefusal(sparsified(folder / "gpt2", {"--self", "0.000001"}), "shorter --length");
    requireRefusal(sparsified(folder / "gpt2", {"--self", "0.01", "--kl", "0"}), "raise one of them");
    requireRefusal(sparsified("demo:sparse", {"--self", "0.01"}), "sparse already");

    Words words = {"<s>", "?"};
    std::string text;
    for (int word = 2; word < 100; ++word) {  // the model has 61 tokens
        words.push_back("w" + std::to_string(word));
        text += words.back() + " ";
    }
    requireRefusal(sparsified(folder / "gpt2", {"--data", folder.write("text.txt", text).string(),
                                                "--tokenizer", wordTokenizer(folder, words).string()}),
                   "the tokenizer that belongs to the model");

    Json config = Json::parse(bytesOf(golden("gpt2") / "config.json"));
    config.erase("bos_token_id");
    folder.write("gpt2/config.json", config.dump());
    requireRefusal(sparsified(folder / "gpt2", {"--self", "0.01"}), "no token that starts a text");
    CHECK_FALSE(fs::exists(folder / "out/model.safetensors"));
}

TEST_CASE("a training on a full disk says so before it begins, and leaves no half a file")
{
    const TempDir folder;
    const SmallDisk disk(folder / "disk");
    if (!disk.isThere())
        skipTest("only an administrator can mount a small disk");
    const Outcome outcome = headscope(tinyTraining(folder, "disk") + Words{"--steps", "8"});
    requireRefusal(outcome, "No space left on device");
    CHECK(fs::is_empty(folder / "disk"));
}
