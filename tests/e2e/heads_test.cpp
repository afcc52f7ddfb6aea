#include "heard_program.h"
#include "program.h"
#include "refusal.h"
#include "support/bytes_of.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <map>

using namespace hs::test;
using Json = nlohmann::json;

namespace {

/// Every file below a folder.
std::map<std::string, std::string> filesIn(const std::filesystem::path& folder)
{
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[entry.path().lexically_relative(folder).string()] = bytesOf(entry.path());
    return files;
}

Outcome heads(Words words)
{
    words.insert(words.begin(), "heads");
    return headscope(words);
}

std::string doneHeads(const Words& words)
{
    const Outcome outcome = heads(words);
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    return outcome.out;
}

}  // namespace

TEST_CASE("heads writes a tree like HeadVis's, and prints and compares such trees")
{
    const TempDir folder;
    const std::string pages = (folder / "pages").string();
    const Words make = {"--model",         "demo:sparse", "--corpus", "task:induction:12",
                        "--ablation-rows", "1",           "--json",   pages};
    doneHeads(make);
    const std::map<std::string, std::string> files = filesIn(pages);
    CHECK(files.count("progress.cbor") == 0);
    CHECK(files.count("server_config.json") == 1);
    CHECK(files.count("attributions/manifest.json") == 1);
    const Json config = Json::parse(files.at("config.json"));
    const Json scatter = Json::parse(files.at("scatter_data.json"));
    CHECK(config["heads"].size() == scatter.size());
    CHECK(config["pipeline_config"]["n_sequences"] == 12);
    for (const Json& row : scatter) {
        const std::string name =
            "L" + std::to_string(row["layer"].get<int>()) + "H" + std::to_string(row["head"].get<int>());
        const Json page = Json::parse(files.at("heads/" + name + ".json"));
        for (const Json& metric : config["metrics"])
            CHECK(row.contains(metric.get<std::string>()));
        double sum = 0;
        for (const auto& [part, share] : page["shares"].items())
            sum += share.get<double>();
        CHECK(sum == Approx(1));
        for (const Json& example : page["sequences"]) {
            CHECK(example["tokens"].size() == example["seq_len"]);
            CHECK(example["attention_indices"].size() == example["attention_values"].size());
        }
        CHECK(page["ablation"]["rows"] == 1);
    }

    CHECK(doneHeads({"--open", pages}).find("L0H0") != std::string::npos);
    const std::string text = doneHeads({"--open", pages, "--heads", "L1H0", "--top", "2"});
    CHECK(text.find("L1H0") == 0);
    CHECK(text.find("looks at") != std::string::npos);
    const std::string html = doneHeads({"--open", pages, "--heads", "L1H0,L2H1", "--html", "-"});
    CHECK(html.starts_with("<!DOCTYPE html>"));
    CHECK(html.find("http") == std::string::npos);
    CHECK(doneHeads({"--open", pages, pages}).find("0.000") != std::string::npos);

    requireRefusal(heads(make), "--resume");
    CHECK(heads({"--open", pages, "--html", "-"}).exitCode == 1);
    Words again = make;
    again.emplace_back("--resume");
    doneHeads(again);
    CHECK(filesIn(pages) == files);
    again.insert(again.end(), {"--rows", "5"});
    requireRefusal(heads(again), "another corpus, model or options");
}

TEST_CASE("pages that Ctrl-C stopped are the same bytes once they were resumed")
{
    const TempDir folder;
    std::string lines;
    for (int line = 0; line < 150; ++line)
        lines += Json{{"text", "When Mary and John went to the store , John gave a drink to"}}.dump() + "\n";
    const std::string corpus = folder.write("corpus.jsonl", lines).string();
    const auto words = [&](const std::string& name) {
        return Words{"heads",
                     "--model",
                     "demo:sparse",
                     "--corpus",
                     corpus,
                     "--rows",
                     "150",
                     "--heads",
                     "L1H*",
                     "--ablation-rows",
                     "150",
                     "--json",
                     (folder / name).string()};
    };
    REQUIRE(headscope(words("whole")).exitCode == 0);
    HeardProgram program(words("parts"));
    REQUIRE(program.waitFor("Reading"));
    program.send(SIGINT);
    const Outcome outcome = program.finish();
    INFO(outcome.err);
    if (outcome.exitCode != 0) {
        CHECK(outcome.err.find("go on with --resume") != std::string::npos);
        Words resumed = words("parts");
        resumed.emplace_back("--resume");
        REQUIRE(headscope(resumed).exitCode == 0);
    }
    CHECK(filesIn(folder / "parts") == filesIn(folder / "whole"));
}

TEST_CASE("heads leaves faulty prompts out and names their lines")
{
    const TempDir folder;
    const std::string corpus =
        folder.write("corpus.jsonl", "{\"text\": \"The opposite of\"}\nnonsense\n{\"text\": \"is hot\"}\n")
            .string();
    const Outcome outcome = heads({"--model", "demo:sparse", "--corpus", corpus, "--ablation-rows", "0",
                                   "--json", (folder / "pages").string()});
    CHECK(outcome.exitCode == 1);
    CHECK(outcome.err.find("Line 2") != std::string::npos);
    CHECK(Json::parse(bytesOf(folder / "pages" / "config.json"))["headscope"]["rows"] == 2);
}
