// Files that the program writes when the machine fails in the middle.
#include "program.h"
#include "refusal.h"
#include "support/catch.h"
#include "support/faults.h"
#include "support/temp_dir.h"
#include "training_setup.h"

#include <csignal>
#include <iterator>

using namespace hs::test;
namespace fs = std::filesystem;

namespace {

constexpr int kKilled = 128 + SIGKILL;

auto entriesIn(const fs::path& folder)
{
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

std::vector<std::string> drawingInto(const fs::path& file)
{
    return {"figure", "--preset", "key-query", "--key", "2", "--query", "9", "--out", file.string()};
}

/// A training of four steps that keeps a checkpoint after each.
class SmallTraining {
public:
    Words into(const fs::path& out) const
    {
        return {"train",      "--data",          m_text,   "--tokenizer",
                m_tokenizer,  "--config",        m_config, "--out",
                out.string(), "--steps",         "4",      "--rows",
                "2",          "--length",        "12",     "--device",
                "cpu",        "--measure-every", "1",      "--checkpoint-every",
                "0"};
    }
    /// The same training, resumed if it was stopped.
    Words onwards(const fs::path& out) const
    {
        return into(out) + (fs::exists(out / "training_state.safetensors") ? Words{"--resume"} : Words{});
    }

    TempDir folder;

private:
    static std::string manyWords()
    {
        std::string text;
        for (int line = 0; line < 200; ++line)
            text += line % 3 == 0 ? "the cat sat on the mat\n" : "on the mat the cat sat\n";
        return text;
    }

    std::string m_text = folder.write("text.txt", manyWords()).string();
    std::string m_tokenizer = wordTokenizer(folder, {"<s>", "?", "the", "cat", "sat", "on", "mat"}).string();
    std::string m_config = folder.write("config.json", smallConfig(2, 2, 16)).string();
};

}  // namespace

TEST_CASE("a figure whose export is killed at any step leaves the old file or the new one, whole", "[fault]")
{
    const TempDir folder;
    const fs::path file = folder / "figure.svg";
    REQUIRE(headscope(drawingInto(file)).exitCode == 0);
    const std::string drawn = bytesOf(file);
    int kills = 0;
    for (int step = 1;; ++step) {
        CAPTURE(step);
        folder.write("figure.svg", "the old file");
        const int code = headscope(drawingInto(file), faultVariables("kill", step)).exitCode;
        const std::string left = bytesOf(file);
        if (code == 0) {
            CHECK(left == drawn);
            break;
        }
        REQUIRE(code == kKilled);
        CHECK((left == "the old file" || left == drawn));
        ++kills;
        REQUIRE(step < 50);
    }
    CHECK(kills >= 4);  // creating, writing, flushing, renaming
}

TEST_CASE("a full disk at any step of an export is said, and the old file stays", "[fault]")
{
    const TempDir folder;
    const fs::path file = folder / "figure.svg";
    int refusals = 0;
    for (int step = 1;; ++step) {
        CAPTURE(step);
        folder.write("figure.svg", "the old file");
        const Outcome outcome = headscope(drawingInto(file), faultVariables("full", step));
        if (outcome.exitCode == 0)
            break;
        requireRefusal(outcome, "free some space");
        CHECK(bytesOf(file) == "the old file");
        CHECK(entriesIn(folder.path()) == 1);
        ++refusals;
        REQUIRE(step < 50);
    }
    CHECK(refusals >= 3);
}

TEST_CASE("a folder that cannot be written to is said", "[fault]")
{
    const TempDir folder;
    requireRefusal(headscope(drawingInto(folder / "figure.svg"), faultVariables("read-only", 1)),
                   "that you may write to it");
    CHECK(entriesIn(folder.path()) == 0);
    // Where the system lets nobody write, not even its administrator.
    requireRefusal(headscope(drawingInto("/proc/figure.svg")), "that you may write to it");
    const fs::path notAFolder = folder.write("file", "in the way");
    requireRefusal(headscope(drawingInto(notAFolder / "figure.svg")), "check that the folder is there");
}

TEST_CASE("a training that is killed at any step of its checkpoints is resumed to the same bytes", "[fault]")
{
    const SmallTraining training;
    const fs::path whole = training.folder / "whole";
    REQUIRE(headscope(training.into(whole)).exitCode == 0);
    int kills = 0;
    // Not each of some hundred steps, but steps further and further apart.
    for (int step = 1, next = 2;; step += next++) {
        CAPTURE(step);
        const fs::path out = training.folder / ("broken" + std::to_string(step));
        const int code = headscope(training.into(out), faultVariables("kill", step)).exitCode;
        if (code == 0)
            break;
        REQUIRE(code == kKilled);
        const Outcome resumed = headscope(training.onwards(out));
        INFO(resumed.err);
        REQUIRE(resumed.exitCode == 0);
        CHECK(bytesOf(out / "model.safetensors") == bytesOf(whole / "model.safetensors"));
        ++kills;
        REQUIRE(step < 2000);
    }
    CHECK(kills >= 4);
}

TEST_CASE("a full disk ends a training with a sentence, and it is resumed to the same bytes", "[fault]")
{
    const SmallTraining training;
    const fs::path whole = training.folder / "whole";
    const fs::path out = training.folder / "out";
    REQUIRE(headscope(training.into(whole)).exitCode == 0);
    const Outcome full = headscope(training.into(out), faultVariables("full", 12));
    INFO(full.err);
    CHECK(full.exitCode == 1);
    REQUIRE(sentencesIn(full.err).size() == 1);
    CHECK(sentencesIn(full.err).front().find("free some space") != std::string::npos);
    REQUIRE(headscope(training.onwards(out)).exitCode == 0);
    CHECK(bytesOf(out / "model.safetensors") == bytesOf(whole / "model.safetensors"));
}

TEST_CASE("a machine without fonts draws the figure and says what is missing", "[fault]")
{
    const TempDir folder;
    const fs::path fonts = folder.write(
        "fonts.conf", "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig><dir>" +
                          (folder / "none").string() + "</dir></fontconfig>");
    for (const char* const name : {"figure.pdf", "figure.svg", "figure.png"}) {
        const Outcome outcome = headscope(drawingInto(folder / name), {"FONTCONFIG_FILE=" + fonts.string()});
        INFO(outcome.err);
        CHECK(outcome.exitCode == 0);
        CHECK(fs::file_size(folder / name) > 1000);
        CHECK(outcome.err.find("no fonts are installed") != std::string::npos);
        CHECK(outcome.err.find("fonts-dejavu-core") != std::string::npos);
    }
}
