#include "done.h"
#include "program.h"
#include "refusal.h"
#include "support/catch.h"
#include "support/npz.h"
#include "support/temp_dir.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <optional>

using namespace hs::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLayer = 2;  // this head has other weights with every gate below
constexpr std::size_t kHead = 3;

/// The demo's sparse model, but with a bias that is not 0.
std::string sparseModel(const TempDir& folder)
{
    const fs::path model = folder / "sparse";
    fs::copy(fs::path(HS_SOURCE_DIR) / "resources/models/demo-sparse", model);
    std::ifstream file(model / "config.json");
    Json config = Json::parse(file);
    config["attention_gate"]["bias"] = 2;
    folder.write("sparse/config.json", config.dump());
    return model.string();
}

/// The head's weights in a run. [query, key] where a query may look
std::vector<double> weightsOfRun(const TempDir& folder, const std::string& model, const Words& gate)
{
    const std::string npz = (folder / "run.npz").string();
    requireDone(headscope(Words{"run", "--model", model, "--text", kPrompt, "--npz", npz} + gate));
    const NpyArray attention = readNpz(npz).at("attention");
    const std::vector<float> all = attention.as<float>();
    const auto heads = static_cast<std::size_t>(attention.shape[1]);
    const auto tokens = static_cast<std::size_t>(attention.shape[2]);
    std::vector<double> weights;
    for (std::size_t query = 0; query < tokens; ++query)
        for (std::size_t key = 0; key <= query; ++key)
            weights.push_back(all[((kLayer * heads + kHead) * tokens + query) * tokens + key]);
    return weights;
}

/// What a figure of both models contains: weights of the head, the bias in its recipe, its caption.
struct DrawnGates {
    std::vector<double> weights[2];  // [panel]
    Json bias[2];                    // [panel], null: no gate
    std::string picture;
};

DrawnGates draw(const TempDir& folder, const std::string& sparse, const Words& gate)
{
    const fs::path picture = folder / "figure.svg";
    const fs::path data = folder / "figure.npz";
    requireDone(headscope(Words{"figure", "--preset", "head", "--heads", "L2H3", "--dense", "demo:dense",
                                "--sparse", sparse, "--text", kPrompt, "--out", picture.string(), "--data",
                                data.string(), "--spec", (folder / "figure.json").string()} +
                          gate));
    DrawnGates drawn;
    const auto columns = readNpz(data);
    const std::vector<double> panels = columns.at("panel").as<double>();
    const std::vector<double> weights = columns.at("weight").as<double>();
    for (std::size_t row = 0; row < panels.size(); ++row)
        drawn.weights[panels[row] == 0 ? 0 : 1].push_back(weights[row]);
    std::ifstream spec(folder / "figure.json");
    const Json made = Json::parse(spec)["made"];
    drawn.bias[0] = made["left"]["gateBias"];
    drawn.bias[1] = made["right"]["gateBias"];
    std::ifstream svg(picture);
    drawn.picture = {std::istreambuf_iterator<char>(svg), {}};
    return drawn;
}

struct GateCase {
    Words given;
    Json dense, sparse;  // the bias in effect, null: no gate
};

}  // namespace

TEST_CASE("figure and run mean the same by a gate and its bias, on dense and sparse models")
{
    const TempDir folder;
    const std::string sparse = sparseModel(folder);
    const Words bias = {"--gate-bias", "4"};
    const GateCase cases[] = {
        {{}, nullptr, 2.0},
        {Words{"--gate", "auto"} + bias, nullptr, 4.0},
        {{"--gate", "off"}, nullptr, nullptr},
        {Words{"--gate", "off"} + bias, nullptr, nullptr},
        {{"--gate", "score"}, 0.0, 2.0},
        {Words{"--gate", "score"} + bias, 4.0, 4.0},
    };
    for (const GateCase& one : cases) {
        const DrawnGates drawn = draw(folder, sparse, one.given);
        for (const int panel : {0, 1}) {
            const Json& expected = panel == 0 ? one.dense : one.sparse;
            INFO((panel == 0 ? "dense" : "sparse") << Json(one.given).dump() << drawn.bias[panel].dump());
            const std::vector<double> run =
                weightsOfRun(folder, panel == 0 ? "demo:dense" : sparse, one.given);
            REQUIRE(drawn.weights[panel].size() == run.size());
            double farthest = 0;
            for (std::size_t cell = 0; cell < run.size(); ++cell)
                farthest = std::max(farthest, std::abs(drawn.weights[panel][cell] - run[cell]));
            CHECK(farthest < 1e-5);
            CHECK(drawn.bias[panel] == expected);
            const std::string caption =
                panel == 0 ? "Demo, dense: score gate, bias " : "sparse: score gate, bias ";
            const std::size_t words = drawn.picture.find(caption);
            CHECK((words == std::string::npos) == expected.is_null());
            if (words != std::string::npos)
                CHECK(std::stod(drawn.picture.substr(words + caption.size())) == expected);
        }
    }
}

TEST_CASE("the gates that a figure and a run can have give different weights in the head they are told by")
{
    const TempDir folder;
    const std::string sparse = sparseModel(folder);
    for (const std::string& model : {std::string("demo:dense"), sparse}) {
        const std::vector<double> off = weightsOfRun(folder, model, {"--gate", "off"});
        const std::vector<double> weak = weightsOfRun(folder, model, {"--gate", "score"});
        const std::vector<double> strong =
            weightsOfRun(folder, model, {"--gate", "score", "--gate-bias", "4"});
        CHECK((off != weak && weak != strong && off != strong));
    }
}

TEST_CASE("a gate that is given replaces that of a figure's recipe, and one that is not leaves it")
{
    const TempDir folder;
    const std::string sparse = sparseModel(folder);
    draw(folder, sparse, {"--gate", "off", "--gate-bias", "4"});
    const auto again = [&](const Words& gate) {
        const std::string spec = (folder / "again.json").string();
        requireDone(headscope(Words{"figure", (folder / "figure.json").string(), "--out",
                                    (folder / "again.svg").string(), "--spec", spec} +
                              gate));
        std::ifstream file(spec);
        return Json::parse(file)["made"]["right"]["gateBias"];
    };
    CHECK(again({}).is_null());
    CHECK(again({"--gate", "auto"}) == 4.0);
    CHECK(again({"--gate", "score", "--gate-bias", "-1"}) == -1.0);
}

TEST_CASE("a gate's bias that is not finite is refused by figure and run")
{
    const TempDir folder;
    const fs::path out = folder / "figure.svg";
    for (const char* const bias : {"nan", "inf", "-inf"})
        for (const char* const gate : {"auto", "off", "score"}) {
            CAPTURE(bias, gate);
            const Words given = {"--text", kPrompt, "--gate", gate, "--gate-bias", bias};
            requireRefusal(headscope(Words{"run", "--model", "demo:dense"} + given), "finite");
            requireRefusal(headscope(Words{"figure", "--preset", "head", "--out", out.string()} + given),
                           "finite");
            CHECK_FALSE(fs::exists(out));
        }
}
