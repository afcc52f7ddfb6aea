#include "done.h"
#include "heard_program.h"
#include "refusal.h"
#include "support/catch.h"
#include "training_setup.h"

#include <algorithm>
#include <csignal>
#include <sstream>

using namespace hs::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const Words kEightSteps = {"--steps", "8"};
const Words kWords = {"<s>", "?", "the", "cat", "sat", "on", "mat"};

std::vector<std::string> fieldsOf(const std::string& line)
{
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');)
        fields.push_back(field);
    return fields;
}

/// A text that repeats the same words, and some that no tokenizer here knows.
fs::path textFile(const TempDir& folder, int words)
{
    std::string text;
    for (int word = 0; word < words; ++word)
        text += "the cat sat on mat " + std::to_string(word % 7) + (word % 5 == 0 ? "\n" : " ");
    return folder.write("text.txt", text);
}

Words sparsify(const fs::path& model, const fs::path& out)
{
    return {"sparsify", "--model", model.string(), "--out", out.string(),      "--device", "cpu",
            "--rows",   "12",      "--steps",      "8",     "--measure-every", "4"};
}

}  // namespace

TEST_CASE("train on tasks writes a model that run opens, with its curve")
{
    const TempDir folder;
    const Outcome outcome = done(tinyTraining(folder, "out") + kEightSteps);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find("built-in tasks") != std::string::npos);
    CHECK(outcome.err.find("step 8 of 8: loss") != std::string::npos);
    CHECK(outcome.err.find("held out: loss") != std::string::npos);
    CHECK(outcome.err.find("addition") != std::string::npos);
    CHECK(outcome.err.find("Written to " + (folder / "out").string()) != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "out/training_state.safetensors"));

    const Json config = Json::parse(bytesOf(folder / "out/config.json"));
    CHECK(config["bos_token_id"] == 0);
    CHECK(config["dtype"] == "float16");
    const Json run = Json::parse(
        done({"run", "--model", (folder / "out").string(), "--text", "The opposite of \" large \" is \""})
            .out);
    CHECK(run["tokens"].size() == 9);
    CHECK(run["tokens"][1]["text"] == "The");
    CHECK(run["predictions"].size() == 10);

    std::istringstream curve(bytesOf(folder / "out/training_curve.csv"));
    std::string line;
    std::getline(curve, line);
    const std::vector<std::string> columns = fieldsOf(line);
    for (const char* const column :
         {"step", "loss", "cross_entropy", "excess", "expected_density", "density", "price", "rate",
          "tokens_per_second", "held_out_density", "score addition"})
        CHECK(std::count(columns.begin(), columns.end(), column) == 1);
    std::vector<std::string> steps;
    while (std::getline(curve, line)) {
        CHECK(fieldsOf(line).size() == columns.size());
        steps.push_back(fieldsOf(line).front());
    }
    CHECK(steps == std::vector<std::string>{"4", "8"});
}

TEST_CASE("train takes the shape of any architecture that run knows")
{
    const TempDir folder;
    const std::string name =
        GENERATE(as<std::string>(), "gpt_neox-parallel", "llama-grouped", "mistral-window", "olmo2", "qwen3");
    Json config = Json::parse(bytesOf(golden(name) / "config.json"));
    config.erase("vocab_size");
    const std::string file = folder.write("config.json", config.dump()).string();
    const std::string out = (folder / "out").string();
    done({"train", "--tasks", "--config", file, "--out", out, "--rows", "6", "--steps", "2", "--save-as",
          "f32", "--device", "cpu"});
    const Json run =
        Json::parse(done({"run", "--model", out, "--text", "The war lasted from the year 17"}).out);
    CHECK(run["loss"].get<double>() > 1);
}

TEST_CASE("train and sparsify learn from a text")
{
    const TempDir folder;
    const std::string text = textFile(folder, 400).string();
    const fs::path tokenizer = wordTokenizer(folder, kWords);
    const std::string config = folder.write("config.json", smallConfig(2, 2, 16)).string();
    const std::string dense = (folder / "dense").string();
    done({"train", "--data", text, "--tokenizer", tokenizer.string(), "--config", config, "--out", dense,
          "--steps", "30", "--rows", "4", "--length", "24", "--device", "cpu"});
    CHECK(Json::parse(bytesOf(folder / "dense/config.json"))["vocab_size"] == 7);
    CHECK(bytesOf(folder / "dense/tokenizer.json") == bytesOf(tokenizer / "tokenizer.json"));
    const Json run = Json::parse(done({"run", "--model", dense, "--text", "the cat sat on"}).out);
    CHECK(run["tokens"].size() == 4);

    const Words toSparse =
        sparsify(dense, folder / "sparse") + Words{"--data", text, "--length", "24", "--tolerance", "10"};
    const Outcome outcome = done(toSparse);
    CHECK(outcome.err.find("tokens, 12 rows of 24 a step, half of them beginning with token 0 (<s>)") !=
          std::string::npos);
    const std::string curve = bytesOf(folder / "sparse/training_curve.csv");
    CHECK(curve.find(",kl text.txt,") != std::string::npos);
    CHECK(curve.find(",kl text.txt without a first token,") != std::string::npos);
    CHECK(outcome.err.find("of edges active") != std::string::npos);
    CHECK(Json::parse(bytesOf(folder / "sparse/config.json"))["attention_gate"]["bias"] == 0);
}

TEST_CASE("sparsify learns from what the model writes itself")
{
    const TempDir folder;
    const std::string name = GENERATE(as<std::string>(), "gpt2", "llama-tied");
    const Words words =
        sparsify(golden(name), folder / "sparse") +
        Words{"--self",       "0.002", "--tolerance", "100", "--sampled",    "--gate-bias", "2",
              "--bias-steps", "4",     "--ce",        "0.5", "--constraint", "worst"};
    const Outcome outcome = done(words);
    CHECK(outcome.err.find("what it writes itself: 1,984 tokens, 12 rows of 32 a step, half of them "
                           "beginning with token") != std::string::npos);
    CHECK(outcome.err.find("price") != std::string::npos);
    const Json config = Json::parse(bytesOf(folder / "sparse/config.json"));
    CHECK(config["attention_gate"] == Json({{"type", "score"}, {"bias", 0.0}}));
    CHECK(config["dtype"] == (name == "gpt2" ? "float32" : "float16"));
    const Words run = {"run", "--model", (folder / "sparse").string(), "--tokens", "0,5,9,11"};
    CHECK(Json::parse(done(run).out)["density"].get<double>() < 1);
}

TEST_CASE("sparsify learns from several texts and own samples at once, each a group of its own")
{
    const TempDir folder;
    const std::string text = textFile(folder, 400).string();
    fs::create_directories(folder / "more");
    fs::copy(text, folder / "more/text.txt");
    const std::string more = (folder / "more/text.txt").string();
    const std::string tokenizer = wordTokenizer(folder, kWords).string();
    const Words words = sparsify(golden("gpt2"), folder / "sparse") +
                        Words{"--data", text, "--data", more, "--tokenizer", tokenizer, "--self"};
    const Outcome outcome = done(words + Words{"--tolerance", "100"});
    CHECK(outcome.err.find("what it writes itself: fresh tokens for each step") != std::string::npos);
    CHECK(outcome.err.find(more + ": ") != std::string::npos);
    const std::string curve = bytesOf(folder / "sparse/training_curve.csv");
    const std::vector<std::string> columns = fieldsOf(curve.substr(0, curve.find('\n')));
    for (const std::string& group : {text, more, std::string("own samples")})
        for (const char* const kind : {"", " without a first token"}) {
            INFO(group << kind);
            CHECK(std::ranges::count(columns, "kl " + group + kind) == 1);
        }
    requireRefusal(headscope(sparsify(golden("gpt2"), folder / "other") +
                             Words{"--data", text, "--data", folder.write("short.txt", "the cat").string(),
                                   "--tokenizer", tokenizer}),
                   "short.txt has 2 tokens");
}

TEST_CASE("sparsify on tasks says how far the scores are from the dense ones")
{
    const TempDir folder;
    done(tinyTraining(folder, "dense") + kEightSteps);
    const Outcome outcome = done(sparsify(folder / "dense", folder / "sparse") +
                                 Words{"--tasks", "--tolerance", "100", "--score-tolerance", "1"});
    CHECK(outcome.err.find("(dense ") != std::string::npos);
    CHECK(outcome.err.find("heads ever active") != std::string::npos);
    // Nothing can meet this tolerance.
    const Outcome failed = headscope(sparsify(folder / "dense", folder / "failed") +
                                     Words{"--tasks", "--tolerance", "1e-9", "--price", "1000"});
    CHECK(failed.exitCode == 1);
    REQUIRE(sentencesIn(failed.err).size() == 1);
    CHECK(sentencesIn(failed.err).front().find("Nothing met the constraint") != std::string::npos);
    CHECK(fs::exists(folder / "failed/model.safetensors"));
}

TEST_CASE("the same training gives the same bytes, whatever interrupted it")
{
    const TempDir folder;
    const std::string text = textFile(folder, 400).string();
    const std::string tokenizer = wordTokenizer(folder, kWords).string();
    const std::string config = folder.write("config.json", smallConfig(2, 2, 16)).string();
    const auto training = [&](const std::string& out) {
        return Words{"train",   "--data",          text,   "--tokenizer",
                     tokenizer, "--config",        config, "--out",
                     out,       "--steps",         "150",  "--rows",
                     "4",       "--length",        "24",   "--device",
                     "cpu",     "--measure-every", "1",    "--checkpoint-every",
                     "0"};
    };
    done(training((folder / "whole").string()));
    for (const int signal : {SIGINT, SIGKILL}) {
        CAPTURE(signal);
        const fs::path out = folder / ("broken" + std::to_string(signal));
        const Words broken = training(out.string());
        {
            HeardProgram program(broken);
            REQUIRE(program.waitFor("step 3 of 150"));
            program.send(signal);
            const Outcome outcome = program.finish();
            INFO(outcome.err);
            CHECK(outcome.exitCode == (signal == SIGINT ? 1 : 128 + SIGKILL));
            CHECK((outcome.err.find("the same command with --resume goes on") != std::string::npos) ==
                  (signal == SIGINT));
            REQUIRE(outcome.err.find("step 150 of 150") == std::string::npos);
        }
        CHECK(fs::exists(out / "training_state.safetensors"));
        requireRefusal(headscope(broken), "--resume");
        requireRefusal(headscope(broken + Words{"--resume", "--rate", "0.5"}), "other options");
        const Outcome resumed = done(broken + Words{"--resume"});
        CHECK(resumed.err.find("step 2 of 150") == std::string::npos);
        CHECK(bytesOf(out / "model.safetensors") == bytesOf(folder / "whole/model.safetensors"));
        std::istringstream curve(bytesOf(out / "training_curve.csv"));
        std::string line;
        std::getline(curve, line);
        int step = 0;
        while (std::getline(curve, line))
            CHECK(fieldsOf(line).front() == std::to_string(++step));
        CHECK(step == 150);
    }
}

TEST_CASE("a sparse training is resumed to the same bytes, too")
{
    const TempDir folder;
    const Words self = GENERATE(Words{"--self"}, Words{"--self", "0.002"});
    const auto training = [&](const std::string& out) {
        return Words{"sparsify",
                     "--model",
                     golden("gpt2").string(),
                     "--out",
                     out,
                     "--device",
                     "cpu",
                     "--rows",
                     "4",
                     "--steps",
                     "40",
                     "--sampled",
                     "--tolerance",
                     "100",
                     "--price",
                     "10",
                     "--gate-bias",
                     "3",
                     "--measure-every",
                     "8",
                     "--bias-steps",
                     "20",
                     "--checkpoint-every",
                     "0"} +
               self;
    };
    done(training((folder / "whole").string()));
    const Words broken = training((folder / "broken").string());
    {
        HeardProgram program(broken);
        REQUIRE(program.waitFor("step 8 of 40"));
        program.send(SIGKILL);
        REQUIRE(program.finish().err.find("step 40 of 40") == std::string::npos);
    }
    done(broken + Words{"--resume"});
    CHECK(bytesOf(folder / "broken/model.safetensors") == bytesOf(folder / "whole/model.safetensors"));
}

TEST_CASE("bench times a step of training with both kinds of operations, and drawing samples")
{
    const std::vector<std::string> small = {
        "bench", "--training", golden("gpt2").string(), "--rows", "2", "--rounds", "1", "--device", "cpu"};
    const Json json = Json::parse(done(small + Words{"--length", "16", "--json", "-"}).out);
    CHECK(json["model"] == "gpt2");
    CHECK(json["rows"] == 2);
    int numbers = 0;
    for (const auto& [name, value] : json.items())
        numbers += name.starts_with("training") && value.is_number() && value.get<double>() > 0;
    CHECK(numbers >= 2);
    CHECK(json["sampling_tokens_per_s"].get<double>() > 0);
    CHECK(json["sampling_over_floor"].get<double>() > 0);
    requireRefusal(headscope(small), "shorter --length");
    CHECK(headscope({"bench", "--rows", "2"}).exitCode == 2);
}
