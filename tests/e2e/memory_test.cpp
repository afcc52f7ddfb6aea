#include "program.h"
#include "refusal.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <nlohmann/json.hpp>

using namespace hs::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

Json memoryOf(const std::vector<std::string>& arguments)
{
    std::vector<std::string> all = {"memory", "--json", "-"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = headscope(all);
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    return Json::parse(outcome.out);
}

}  // namespace

TEST_CASE("memory is told from config.json alone, and a prompt too long is left out")
{
    const TempDir folder;
    fs::copy(golden("gpt2") / "config.json", folder / "config.json");
    for (const std::string& where : {folder.path().string(), (folder / "config.json").string()}) {
        const Json models = memoryOf({"--model", where, "--tokens", "8,32,33"});
        REQUIRE(models.size() == 1);
        const Json& model = models[0];
        CHECK(model["context"] == 32);
        CHECK(model["bytes"].size() == 4 * 2);
        for (const Json& row : model["bytes"]) {
            const bool isHalf = row["dtype"] == "bf16";
            CHECK(row["weights"] == model["parameters"].get<std::int64_t>() * (isHalf ? 2 : 4));
            CHECK(row["run"] > 0);
        }
        // For all heads, queries and keys: 2 layers of 6 heads, in float32.
        CHECK(model["bytes"][1]["maps"] == 2 * 6 * 32 * 32 * 4);
    }
}

TEST_CASE("without a model memory tells of three well-known ones")
{
    const Json models = memoryOf({"--tokens", "128"});
    REQUIRE(models.size() == 3);
    CHECK(models[0]["parameters"] == 124439808);
    CHECK(models[2]["parameters"] == 8030261248);
}

TEST_CASE("memory of what is no model is refused")
{
    const TempDir folder;
    requireRefusal(headscope({"memory", "--model", folder.path().string()}), "empty");
    folder.write("config.json", "{\"model_type\": \"bert\"}");
    requireRefusal(headscope({"memory", "--model", folder.path().string()}), "bert");
    CHECK(headscope({"memory", "--tokens", "0"}).exitCode == 2);
}
