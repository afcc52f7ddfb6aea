#include "app/support/prompt_file.h"

#include "support/catch.h"
#include "support/refusals.h"
#include "support/temp_dir.h"

#include <cstdlib>

using namespace hs;
using hs::test::isRefused;

TEST_CASE("a shard is one of several, and all of them have each item once")
{
    CHECK(app::parseShard("2/8").index == 1);
    CHECK(app::parseShard("2/8").count == 8);
    for (const char* const text :
         {"", "2", "0/2", "3/2", "-1/2", "1/0", "1/2/3", "a/b", "1 / 2", "99999999999/1"}) {
        INFO(text);
        CHECK(isRefused([&] { app::parseShard(text); }, "is no shard"));
    }
    for (int item = 0; item < 10; ++item) {
        int owners = 0;
        for (const char* const text : {"1/3", "2/3", "3/3"})
            owners += app::parseShard(text).has(item);
        CHECK(owners == 1);
    }
}

TEST_CASE("a shard can be taken by the rank that torchrun gave, or else by that of srun")
{
    const char* const names[] = {"RANK", "WORLD_SIZE", "SLURM_PROCID", "SLURM_NTASKS"};
    for (const char* const name : names)
        unsetenv(name);
    CHECK(isRefused([] { app::parseShard("auto"); }, "has no rank"));
    setenv("SLURM_PROCID", "2", 1);
    CHECK(isRefused([] { app::parseShard("auto"); }, "has no rank"));
    setenv("SLURM_NTASKS", "3", 1);
    CHECK(app::parseShard("auto").index == 2);
    CHECK(app::parseShard("auto").count == 3);
    setenv("RANK", "0", 1);
    setenv("WORLD_SIZE", "8", 1);
    CHECK(app::parseShard("auto").index == 0);
    CHECK(app::parseShard("auto").count == 8);
    setenv("RANK", "8", 1);
    CHECK(isRefused([] { app::parseShard("auto"); }, "\"9/8\" is no shard"));
    for (const char* const name : names)
        unsetenv(name);
}

TEST_CASE("lines of a file of texts need nothing but a text")
{
    const test::TempDir folder;
    const auto texts = app::readTextFile(
        folder.write("t.jsonl", "{\"text\": \"a\"}\n\n{\"text\": \"b\", \"target\": \"c\"}\n").string());
    REQUIRE(texts.size() == 2);
    CHECK(texts[1].index == 1);
    CHECK(texts[1].text == "b");
    CHECK(isRefused([&] { app::readTextFile(folder.write("n.jsonl", "{\"target\": \"c\"}").string()); },
                    "lacks \"text\""));
}

TEST_CASE("lines of a file of prompts are numbered by question, and their errors by line")
{
    const test::TempDir folder;
    const std::string file = folder
                                 .write("p.jsonl", "{\"text\": \"a\", \"target\": \"b\"}\n  \n"
                                                   "{\"text\": \"c\", \"target\": \"d\", \"versus\": \"e\", "
                                                   "\"source\": null}\r\n")
                                 .string();
    const std::vector<app::PromptLine> prompts = app::readPromptFile(file);
    REQUIRE(prompts.size() == 2);
    CHECK(prompts[0].index == 0);
    CHECK_FALSE(prompts[0].versus);
    CHECK(prompts[1].index == 1);
    CHECK(prompts[1].where == "Line 3 of " + file);
    CHECK(prompts[1].versus == "e");
    CHECK_FALSE(prompts[1].source);

    const auto isRefusedWith = [&](const std::string& content, const std::string& words) {
        return isRefused([&] { app::readPromptFile(folder.write("bad.jsonl", content).string()); }, words);
    };
    CHECK(isRefusedWith("\n \n", "holds no prompts"));
    CHECK(isRefusedWith("[]", "should be an object in braces"));
    CHECK(isRefusedWith("{\"text\": \"a\"}", "lacks \"target\""));
    CHECK(isRefusedWith("\n{\"text\": 3, \"target\": \"b\"}", "Line 2 of "));
    CHECK(isRefusedWith("{\"text\": \"\", \"target\": \"b\"}", "a text with something in it"));
    CHECK(isRefused([&] { app::readPromptFile(folder.path().string()); }, "check the path"));
}

TEST_CASE("lines of a file of pairs call the second prompt corrupted or corrupt")
{
    const test::TempDir folder;
    const auto read = [&](const std::string& content) {
        return app::readPairFile(folder.write("pairs.jsonl", content).string());
    };
    for (const std::string key : {"corrupted", "corrupt"}) {
        const auto pairs =
            read("{\"clean\": \"a\", \"" + key + "\": \"b\", \"target\": \"c\", \"versus\": \"d\"}");
        REQUIRE(pairs.size() == 1);
        CHECK(pairs.front().corrupted == "b");
        CHECK(pairs.front().versus == "d");
    }
    CHECK(isRefused([&] { read("{\"clean\": \"a\", \"target\": \"c\", \"versus\": \"d\"}"); },
                    "\"corrupted\""));
}

TEST_CASE("what is wrong with a line is said with where the line is")
{
    CHECK(app::checkedLine("Line 3", [] { return 7; }) == 7);
    CHECK(test::refusalOf([] {
              app::checkedLine("Line 3 of p", []() -> int { fail(ErrorCode::BadRequest, "No such token."); });
          }) == "Line 3 of p: No such token.");
}
