#include "done.h"
#include "heard_program.h"
#include "program.h"
#include "refusal.h"
#include "support/bytes_of.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <iterator>

using namespace hs::test;
namespace fs = std::filesystem;

namespace {

/// Nine prompts, what a single run over them gives, and a folder for arrays.
class Questions {
public:
    explicit Questions(Words command = {"sweep", "--units", "layers", "--csv"})
        : m_command(std::move(command))
    {
        const bool isCircuit = m_command.front() == "circuit";
        const std::string names[] = {"Mary", "John", "Tom", "Anna"};
        std::string lines;
        for (int line = 0; line < 9; ++line) {
            const std::string first = names[line % 4];
            const std::string second = names[(line + 1 + line / 4) % 4];
            const auto text = [&](const std::string& giver) {
                return "When " + first + " and " + second + " went to the store , " + giver +
                       " gave a drink to";
            };
            nlohmann::json json = {{"target", first}, {"versus", second}};
            json[isCircuit ? "clean" : "text"] = text(second);
            if (isCircuit)
                json["corrupted"] = text(first);
            lines += json.dump() + "\n";
        }
        prompts = folder.write("prompts.jsonl", lines);
    }

    /// The command, whose result goes into files of this name.
    Words into(const std::string& name) const
    {
        Words words =
            m_command + Words{"--model", "demo:sparse", "--device", "cpu", "--json", file(name + ".json")};
        if (const auto csv = std::ranges::find(words, "--csv"); csv != words.end())
            words.insert(csv + 1, file(name + ".csv"));
        words.insert(words.begin() + 1,
                     {m_command.front() == "circuit" ? "--pairs" : "--prompts", prompts.string()});
        return words;
    }
    Words array(const Words& options) const
    {
        return Words{"array", "--folder", file("array"), "--scheduler", "local"} + options;
    }
    std::string file(const std::string& name) const { return (folder / name).string(); }
    fs::path part(int number) const
    {
        return folder / "array" / "parts" / ("00" + std::to_string(number) + "-of-008.json");
    }
    void requireWholeAs(const std::string& name) const
    {
        REQUIRE(bytesOf(file("single.json")).size() > 1000);
        CHECK(bytesOf(file(name + ".json")) == bytesOf(file("single.json")));
        CHECK(bytesOf(file(name + ".csv")) == bytesOf(file("single.csv")));
    }

    TempDir folder;
    fs::path prompts;

private:
    Words m_command;
};

bool has(const std::string& text, const std::string& words)
{
    return text.find(words) != std::string::npos;
}

constexpr const char* kSbatch = R"sh(cd "$(dirname "$0")"
printf '%s\n' "$*" >>calls
id=$(($(cat id 2>/dev/null || echo 0) + 1))
echo $id >id
parts=merge
while [[ $1 == --* ]]; do
    case $1 in
    --array=*) parts=$(echo "${1#--array=}" | sed 's/%.*//; s/,/\n/g' | sed 's/-/ /; s/^/seq /; s/seq \([0-9]*\)$/echo \1/' | sh) ;;
    --output=*) log=$(dirname "${1#--output=}") ;;
    esac
    shift
done
for part in $parts; do
    export SLURM_ARRAY_TASK_ID=$part
    if [[ $part == "$(cat kill 2>/dev/null)" ]]; then
        rm kill
        bash "$@" >/dev/null 2>&1 &
        kill -9 $!
    else
        bash "$@" >"$log/fake_$part.out" 2>&1
    fi
done
echo "$id;cluster"
)sh";

/// Commands of Slurm that run a job where it is submitted, one task after the other. A part whose number is in
/// the file "kill" is killed once; what is in the file "queued" is what squeue prints.
class FakeSlurm {
public:
    explicit FakeSlurm(const TempDir& folder) : m_folder((folder / "slurm").string())
    {
        write(folder, "sbatch", kSbatch);
        write(folder, "squeue", "cat \"$(dirname \"$0\")/queued\" 2>/dev/null\n");
    }

    Outcome headscope(const Words& words) const
    {
        return runProgram(Words{"env", "PATH=" + m_folder + ":/usr/bin:/bin", HS_PROGRAM} + words);
    }
    std::string calls() const { return bytesOf(m_folder + "/calls"); }

private:
    static void write(const TempDir& folder, const std::string& name, const std::string& script)
    {
        fs::permissions(folder.write("slurm/" + name, "#!/bin/bash\n" + script), fs::perms::owner_all);
    }

    std::string m_folder;
};

}  // namespace

TEST_CASE("an array on the cores here gives the bytes of a single run, also after parts were lost")
{
    const Questions questions;
    requireDone(headscope(questions.into("single")));
    const Words array = questions.array({"--parts", "8", "--"}) + questions.into("joined");
    requireDone(headscope(array));
    questions.requireWholeAs("joined");

    fs::remove(questions.part(3));
    const std::string kept = bytesOf(questions.part(5));
    questions.folder.write("array/parts/006-of-008.json", kept);  // a whole part in the wrong place
    questions.folder.write("array/parts/007-of-008.json", kept.substr(0, 200));
    const auto before = fs::last_write_time(questions.part(5));
    const std::string status =
        requireDone(headscope({"array", "--status", "--folder", questions.file("array")})).out;
    CHECK(has(status, "done     5 of 8 parts\n"));
    CHECK(has(status, "missing  3: 3,6-7\n"));
    CHECK(has(status, "part 6: is of another array\n"));
    requireRefusal(headscope({"array", "--merge", "--folder", questions.file("array")}),
                   "Missing: parts 3,6-7 of 8;");
    fs::remove(questions.file("joined.json"));
    fs::remove(questions.file("joined.csv"));
    const Outcome resumed = requireDone(headscope(questions.array({"--resume"})));
    CHECK(has(resumed.err, "Doing 3 of 8 parts here"));
    questions.requireWholeAs("joined");
    CHECK(fs::last_write_time(questions.part(5)) == before);

    // The same again finds all done, and joins them where it is told to now.
    requireDone(headscope(questions.array({"--parts", "8", "--"}) + questions.into("again")));
    questions.requireWholeAs("again");
    CHECK(fs::last_write_time(questions.part(5)) == before);
    const auto files = fs::directory_iterator(questions.folder / "array" / "parts");
    CHECK(std::distance(fs::begin(files), fs::end(files)) == 8);
}

TEST_CASE("an array that is stopped goes on where it was")
{
    const Questions questions;
    requireDone(headscope(questions.into("single")));
    HeardProgram array(questions.array({"--parts", "8", "--"}) + questions.into("joined"));
    REQUIRE(array.waitFor("at a time"));
    array.send(SIGINT);
    const Outcome stopped = array.finish();
    INFO(stopped.err);
    CHECK(stopped.exitCode == 1);
    CHECK(has(stopped.err, "of 8 parts done; go on with headscope array --resume"));
    CHECK_FALSE(fs::exists(questions.file("joined.json")));
    requireDone(headscope(questions.array({"--resume"})));
    questions.requireWholeAs("joined");
}

TEST_CASE("circuits and metrics are spread like sweeps")
{
    const auto command = GENERATE(Words{"circuit", "--rank", "gradient"}, Words{"metrics", "--csv"});
    const Questions questions(command);
    requireDone(headscope(questions.into("single")));
    requireDone(headscope(questions.array({"--parts", "8", "--jobs", "1", "--"}) + questions.into("joined")));
    questions.requireWholeAs("joined");
}

TEST_CASE("a Slurm array with a part that is killed on the way gives the bytes of a single run")
{
    const Questions questions;
    const FakeSlurm slurm(questions.folder);
    requireDone(headscope(questions.into("single")));
    questions.folder.write("slurm/kill", "6");
    const Words array = Words{"array",       "--folder", questions.file("array"),
                              "--scheduler", "slurm",    "--jobs",
                              "4",           "--parts",  "8",
                              "--sbatch",    "--time=5", "--sbatch",
                              "--mem=500",   "--retries"};
    SECTION("which is submitted again by what joins them")
    {
        const Outcome outcome =
            requireDone(slurm.headscope(array + Words{"1", "--"} + questions.into("joined")));
        CHECK(has(outcome.err, "Submitted parts 1-8 of 8 as job 1, and what joins them as job 2;"));
        CHECK(has(slurm.calls(), "--array=6%4 "));
        CHECK(has(slurm.calls(), "merge 0\n"));
    }
    SECTION("which is resumed")
    {
        requireDone(slurm.headscope(array + Words{"0", "--"} + questions.into("joined")));
        CHECK_FALSE(fs::exists(questions.file("joined.json")));
        CHECK(has(bytesOf(questions.file("array/logs/fake_merge.out")), "Missing: part 6 of 8;"));
        questions.folder.write("slurm/queued", "1 6\n");
        const Words folder = {"--folder", questions.file("array")};
        CHECK(has(slurm.headscope(Words{"array", "--status"} + folder).out, "queued   1: 6\nmissing  0\n"));
        CHECK(has(requireDone(slurm.headscope(Words{"array", "--resume"} + folder)).err,
                  "still queued or running"));
        questions.folder.write("slurm/queued", "");
        requireDone(slurm.headscope(Words{"array", "--resume"} + folder));
    }
    questions.requireWholeAs("joined");
    CHECK(has(slurm.calls(), "--array=1-8%4 "));
    CHECK(has(slurm.calls(), "--dependency=afterany:1 "));
    CHECK(has(bytesOf(questions.file("array/job.sh")), "\n#SBATCH --time=5\n#SBATCH --mem=500\n"));
}

TEST_CASE("a dry run of an array prints what would be done, and does none of it")
{
    const Questions questions;
    const Words words = Words{"--dry-run", "--parts", "8", "--"} + questions.into("joined");
    const std::string here = requireDone(headscope(questions.array(words))).out;
    CHECK(has(here, " --part 8\n"));
    const std::string slurm =
        requireDone(
            headscope(Words{"array", "--scheduler", "slurm", "--folder", questions.file("array")} + words))
            .out;
    CHECK(has(slurm, "#!/bin/bash\n"));
    CHECK(has(slurm, "\nsbatch --parsable --array=1-8 "));
    CHECK(has(slurm, "\nsbatch --parsable --dependency=afterany:JOB "));
    CHECK_FALSE(fs::exists(questions.file("array")));
    CHECK_FALSE(fs::exists(questions.file("joined.json")));
}

TEST_CASE("arrays that cannot be made are refused")
{
    const Questions questions;
    const auto refused = [&](const Words& words, const std::string& why) {
        requireRefusal(headscope(questions.array({"--parts", "8", "--"}) + words), why);
    };
    const Words file = {"sweep", "--model", "demo:sparse", "--prompts", questions.prompts.string()};
    refused(file, "name it with --json, --csv or --npz");
    refused(file + Words{"--json", "-"}, "name it with --json, --csv or --npz");
    refused(questions.into("joined") + Words{"--shard", "1/2"}, "leave it out");
    refused({"sweep", "--model", "demo:sparse", "--text", "a", "--target", "b", "--json", "x"}, "--prompts");
    refused({"metrics", "--model", "/nowhere", "--prompts", questions.prompts.string(), "--json", "x"},
            "/nowhere");
    requireRefusal(headscope(questions.array({"--parts", "10", "--"}) + questions.into("joined")),
                   "has 9 prompts");
    requireRefusal(headscope(questions.array({"--resume"})), "holds no array");
    const auto misses = [&](const Words& words) { return headscope(Words{"array"} + words).exitCode; };
    CHECK(misses({}) == 2);
    CHECK(misses({"--parts", "2"}) == 2);
    CHECK(misses({"--", "sweep", "--prompts", "x"}) == 2);
    CHECK(misses({"--parts", "2", "--", "run", "--text", "x"}) == 2);
    CHECK(misses({"--parts", "2", "--", "sweep", "--no-such-option"}) == 2);
    CHECK(misses({"--status", "--resume"}) == 2);
    CHECK_FALSE(fs::exists(questions.file("array")));

    requireDone(headscope(questions.array({"--parts", "2", "--"}) + questions.into("joined")));
    requireRefusal(headscope(questions.array({"--parts", "3", "--"}) + questions.into("joined")),
                   "holds another array");
    std::ofstream(questions.prompts, std::ios::app) << R"({"text": "Mary", "target": "Tom"})" << "\n";
    requireRefusal(headscope(questions.array({"--resume"})), "The file of prompts has changed");
    requireRefusal(headscope({"array", "--part", "3", "--folder", questions.file("array")}),
                   "There is no part 3");
}
