#include "done.h"
#include "program.h"
#include "support/bytes_of.h"
#include "support/catch.h"
#include "support/npz.h"
#include "support/temp_dir.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

using namespace hs::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

Outcome figure(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "figure");
    return headscope(arguments);
}

std::vector<std::string> presets()
{
    const Outcome outcome = figure({"--presets"});
    requireDone(outcome);
    std::vector<std::string> names;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);)
        names.push_back(line.substr(0, line.find(' ')));
    return names;
}

/// One sentence that contains `words`, exit 1, and no file.
void requireRefusal(const Outcome& outcome, const std::string& words, const fs::path& out)
{
    INFO(outcome.err);
    CHECK(outcome.exitCode == 1);
    CHECK(outcome.err.find(words) != std::string::npos);
    CHECK_FALSE(fs::exists(out));
}

}  // namespace

TEST_CASE("every figure is drawn of the demo pair out of the box")
{
    const TempDir folder;
    const std::vector<std::string> names = presets();
    REQUIRE(names.size() == 11);
    for (const std::string& name : names) {
        CAPTURE(name);
        const fs::path out = folder / (name + ".pdf");
        requireDone(
            figure({"--preset", name, "--out", out.string(), "--data", (folder / (name + ".csv")).string()}));
        CHECK(bytesOf(out).starts_with("%PDF-"));
        CHECK(bytesOf(folder / (name + ".csv")).find('\n') != std::string::npos);
    }
}

TEST_CASE("a figure that was exported makes itself again, byte for byte")
{
    const TempDir folder;
    const std::string suffix = GENERATE(".pdf", ".svg", ".png", ".html");
    CAPTURE(suffix);
    const fs::path first = folder / ("first" + suffix);
    const fs::path again = folder / "elsewhere" / ("again" + suffix);
    fs::create_directories(again.parent_path());
    requireDone(
        figure({"--preset", "head-grid", "--text", "When Tom and Lucy went to the park , Lucy gave a ball to",
                "--ablate", "L1H4:mean", "--width", "85mm", "--scale", "log", "--colours", "violet-yellow",
                "--dense-title", "A & <B> “C”", "--out", first.string()}));
    requireDone(figure({first.string(), "--out", again.string()}));
    CHECK(bytesOf(first) == bytesOf(again));
    requireDone(figure({first.string()}));
    CHECK(bytesOf(folder / ("first-again" + suffix)) == bytesOf(first));
}

TEST_CASE("a figure that has no grids to explore is no page, in one sentence")
{
    const TempDir folder;
    const fs::path out = folder / "page.html";
    requireRefusal(figure({"--preset", "flow", "--out", out.string()}), "choose head-grid", out);
}

TEST_CASE("a spec makes the figure it was written for, and one of a few words will do")
{
    const TempDir folder;
    const fs::path spec = folder / "flow.json";
    requireDone(figure({"--preset", "flow", "--threshold", "0.3", "--out", (folder / "a.svg").string(),
                        "--spec", spec.string()}));
    requireDone(figure({spec.string(), "--out", (folder / "b.svg").string()}));
    CHECK(bytesOf(folder / "a.svg") == bytesOf(folder / "b.svg"));
    const std::string piped = (folder / "piped.svg").string();
    requireDone(runProgram({"sh", "-c", HS_PROGRAM " figure - --out " + piped + " <" + spec.string()}));
    CHECK(bytesOf(folder / "a.svg") == bytesOf(piped));
    const Json json = Json::parse(bytesOf(spec));
    CHECK(json["figure"]["preset"] == "flow");
    CHECK(json["made"]["left"]["tokens"].size() > 10);
    CHECK_FALSE(json["made"]["right"]["fingerprint"].get<std::string>().empty());

    std::ofstream(folder / "short.json")
        << R"({"headscope": {"version": 1}, "figure": {"preset": "ranked-heads"}})";
    requireDone(figure({(folder / "short.json").string(), "--out", (folder / "c.png").string()}));
    requireDone(figure({"--preset", "ranked-heads", "--out", (folder / "d.png").string()}));
    CHECK(bytesOf(folder / "c.png") == bytesOf(folder / "d.png"));
}

TEST_CASE("results of analyses are drawn from their files")
{
    const TempDir folder;
    std::ofstream(folder / "left.json")
        << R"({"curve": [[0, 0], [4, 0.4], [20, 0.95], [32, 1]], "smallest": 20})";
    std::ofstream(folder / "right.json")
        << R"({"curve": [[0, 0], [2, 0.8], [5, 0.97], [32, 1]], "smallest": 5})";
    const fs::path out = folder / "effect.svg";
    requireDone(figure({"--preset", "explained-effect", "--dense-result", (folder / "left.json").string(),
                        "--sparse-result", (folder / "right.json").string(), "--out", out.string()}));
    CHECK(bytesOf(out).find("4.0") != std::string::npos);
}

TEST_CASE("long prompts, one token, token ids and odd letters give figures")
{
    const TempDir folder;
    const std::string model = golden("llama-grouped").string();
    std::string ids = "3";
    for (int index = 1; index < 30; ++index)
        ids += "," + std::to_string(index % 40 + 3);
    for (const std::string& name : presets()) {
        if (name == "explained-effect" || name == "graph")
            continue;  // they need a second prompt and transcoders
        CAPTURE(name);
        for (const std::string& tokens : {std::string("5"), ids})
            requireDone(figure({"--preset", name, "--dense", model, "--sparse", model, "--tokens", tokens,
                                "--out", (folder / (name + ".pdf")).string()}));
    }
    requireDone(figure(
        {"--dense-title", "مرحبا", "--sparse-title", "你好 🍵", "--out", (folder / "odd.pdf").string()}));
}

TEST_CASE("what cannot be drawn is said in one sentence before anything is written")
{
    const TempDir folder;
    const fs::path out = folder / "x.pdf";
    const auto refuses = [&](std::vector<std::string> arguments, const std::string& words) {
        arguments.insert(arguments.end(), {"--out", out.string()});
        requireRefusal(figure(arguments), words, out);
    };
    refuses({"--preset", "pie"}, "--presets lists them");
    refuses({"--width", "wide"}, "85mm");
    refuses({"--limits", "1,0"}, "smaller first");
    refuses({"--colours", "mud"}, "choose one of");
    refuses({"--preset", "key-query", "--key", "99", "--query", "3"}, "choose others");
    refuses({"--preset", "ranked-heads", "--units", "heads+mlps"},
            "no place for MLPs, which have no pattern");
    refuses({"--order", "peak", "--units", "heads+mlps"}, "keep the order of layers");
    refuses({"--preset", "explained-effect", "--text", "Tom and Lucy"}, "corrupted");
    refuses({"--preset", "attribution", "--target", "not one word"}, "token");
    refuses({"--heads", "L99H0"}, "L99H0");
    refuses({(folder / "missing.json").string()}, "missing.json");
    std::ofstream(folder / "text.pdf") << "This is no figure.";
    refuses({(folder / "text.pdf").string()}, "text.pdf");
    requireRefusal(figure({"--out", (folder / "x.bmp").string()}), ".png", folder / "x.bmp");
    requireRefusal(figure({"--out", (folder / "no" / "x.pdf").string()}), "cannot be written",
                   folder / "no" / "x.pdf");
}
