#include "core/maps/npz_bytes.h"
#include "core/model/safetensors_bytes.h"
#include "program.h"
#include "refusal.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace hs::test;
using Json = nlohmann::json;

namespace {

const std::string kSentence = "When Mary and John went to the store , John gave a drink to";

Json jsonFrom(const std::vector<std::string>& arguments)
{
    const Outcome outcome = headscope(arguments);
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    return Json::parse(outcome.out);
}

/// Whether numbers are the same up to the rounding of a run that keeps its maps.
bool isNear(const Json& a, const Json& b)
{
    if (a.is_number_float() && b.is_number_float())
        return std::abs(a.get<double>() - b.get<double>()) < 1e-5;
    if (!a.is_structured())
        return a == b;
    if (a.type() != b.type() || a.size() != b.size())
        return false;
    for (auto one = a.begin(), other = b.begin(); one != a.end(); ++one, ++other)
        if (!isNear(*one, *other))
            return false;
    return true;
}

/// The attention of the demo model, as this program writes it.
std::string ownMaps(const TempDir& folder)
{
    const std::string file = (folder / "own.npz").string();
    const Outcome outcome = headscope({"run", "--model", "demo:dense", "--text", kSentence, "--npz", file});
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    return file;
}

std::string whole()
{
    return npyBytes("<f4", {1, 2, 2, 2},
                    packedBytes(std::vector<float>{1, 0, 0.5f, 0.5f, 1, 0, 0.25f, 0.75f}));
}

}  // namespace

TEST_CASE("metrics of a file of maps are those of the model that made it")
{
    const TempDir folder;
    const std::string file = ownMaps(folder);
    const Json maps = jsonFrom({"metrics", "--model", file, "--json", "-"});
    const Json model = jsonFrom({"metrics", "--model", "demo:dense", "--text", kSentence, "--json", "-"});
    REQUIRE(maps["heads"].size() == model["heads"].size());
    for (std::size_t head = 0; head < maps["heads"].size(); ++head)
        for (const auto& [name, value] : model["heads"][head].items()) {
            INFO(head << " " << name);
            if (value.is_null())
                CHECK(maps["heads"][head][name].is_null());
            else
                CHECK(maps["heads"][head][name].get<double>() == Approx(value.get<double>()).margin(1e-5));
        }
}

TEST_CASE("scatter, flow, edges and compare take maps as they take a model")
{
    const TempDir folder;
    const std::string file = ownMaps(folder);
    const auto both = [&](std::vector<std::string> arguments, const std::string& key) {
        std::vector<std::string> onModel = arguments;
        arguments.insert(arguments.end(), {"--model", file});
        onModel.insert(onModel.end(), {"--model", "demo:dense", "--text", kSentence});
        const Json maps = jsonFrom(arguments);
        CHECK(isNear(maps[key], jsonFrom(onModel)[key]));
        return maps;
    };
    both({"scatter", "--heads", "L0H0,L1H2,L3H4", "--weights"}, "weights");
    both({"flow", "--threshold", "0.3"}, "edges");
    const Json edges = both({"edges", "--key", "4", "--query", "14", "--min", "0.05"}, "heads");
    CHECK(edges["key_token"]["text"] == "John");
    const Json same = jsonFrom({"compare", "--dense", file, "--sparse", "demo:dense", "--text", kSentence});
    REQUIRE(same["heads"].size() == 64);
    CHECK(same["heads"][0]["total_variation"].get<double>() < 1e-5);
}

TEST_CASE("view draws maps into a file, and says so where there is no display")
{
    const TempDir folder;
    const std::string file = ownMaps(folder);
    const std::string picture = (folder / "maps.png").string();
    const Outcome drawn = headscope({"view", file, "--out", picture});
    INFO(drawn.err);
    CHECK(drawn.exitCode == 0);
    CHECK(std::filesystem::file_size(picture) > 10'000);
    const Outcome window = headscope({"view", file});
    const Outcome start = headscope({});
    CHECK(window.exitCode == 1);
    CHECK(window.err == start.err);
    requireRefusal(headscope({"view", "demo:dense"}), "not a file of attention maps");
    requireRefusal(headscope({"view", (folder / "gone.npz").string()}), "gone.npz");
    requireRefusal(headscope({"view", file + "#encoder", "--out", picture}), "\"encoder\"");
}

TEST_CASE("what takes an engine is refused for maps in one sentence")
{
    const TempDir folder;
    const std::string file =
        folder.write("m.npz", ZipFileBytes().array("attention", whole()).bytes()).string();
    const std::string tensors =
        folder
            .write(
                "m.safetensors",
                safetensorsBytes(R"({"attention":{"dtype":"F32","shape":[1,1,2,2],"data_offsets":[0,16]}})",
                                 std::string(16, '\0')))
            .string();
    for (const std::string& maps : {file, tensors}) {
        requireRefusal(headscope({"run", "--model", maps, "--text", "a"}), "nothing to run");
        requireRefusal(headscope({"sweep", "--model", maps, "--text", "a", "--target", "b"}),
                       "nothing to run");
        requireRefusal(headscope({"metrics", "--model", maps, "--text", "a"}), "leave out the prompt");
        requireRefusal(headscope({"metrics", "--model", maps, "--ablate", "L0H0"}), "open the model");
    }
    requireRefusal(headscope({"memory", "--model", file}), "headscope view");
}

TEST_CASE("broken files of maps end the program with one sentence")
{
    const TempDir folder;
    const auto zip = [](const std::string& npy,
                        const std::function<void(ZipFileBytes::Member&)>& spoil = {}) {
        ZipFileBytes file;
        file.array("attention", npy, true);
        if (spoil)
            spoil(file.last());
        return file.bytes();
    };
    const std::string sound = zip(whole());
    const std::vector<std::pair<std::string, std::string>> files = {
        {"empty.npz", ""},
        {"text.npz", "attention"},
        {"short.npz", sound.substr(0, sound.size() / 2)},
        {"tail.npz", sound.substr(sound.size() / 2)},
        {"bomb.npz", zip(npyBytes("<f4", {1, 1, 900, 900}, std::string(900 * 900 * 4, '\0')),
                         [](auto& member) { member.size = 5000; })},
        {"grown.npz", zip(whole(), [](auto& member) { member.size = 1u << 31; })},
        {"checksum.npz", zip(whole(), [](auto& member) { member.checksum = 3; })},
        {"encrypted.npz", zip(whole(), [](auto& member) { member.flags = 1; })},
        {"objects.npz", zip(npyBytes("|O", {1, 1, 1, 1}, "\x80\x04K\x01."))},
        {"shape.npz", zip(npyBytes("<f4", {1, 2, 2, 1 << 30}, std::string(32, '\0')))},
        {"code.npz", zip(npyBytes("", {}, "", "{'descr': __import__('os').abort(), }"))},
        {"none.npz", ZipFileBytes().bytes()},
        {"short.safetensors", safetensorsBytes(R"({"attention":{"dtype":"F32","shape":[1,1,2,2])")},
        {"lying.safetensors",
         safetensorsBytes(R"({"attention":{"dtype":"F32","shape":[1,1,2,2],"data_offsets":[0,16]}})",
                          "1234")},
    };
    for (const auto& [name, bytes] : files) {
        INFO(name);
        const std::string file = folder.write(name, bytes).string();
        requireRefusal(headscope({"view", file, "--out", (folder / "x.png").string()}), "; ");
        requireRefusal(headscope({"metrics", "--model", file}), "; ");
    }
}
