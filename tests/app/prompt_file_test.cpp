#include "app/support/prompt_file.h"

#include "support/catch.h"
#include "support/refusals.h"
#include "support/temp_dir.h"
#include "train/named_prompts.h"

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

TEST_CASE("a built-in task is a set of its pairs, in the tokens of a model")
{
    const auto tokenizer =
        orThrow(text::Tokenizer::load(std::string(HS_SOURCE_DIR) + "/resources/models/demo-dense"));
    text::PromptSet set =
        train::openPrompts("task:indirect-objects:3:2", text::PromptNeeds::Pair, tokenizer.get());
    CHECK(set.count() == 3);
    CHECK(train::countPrompts("task:induction", text::PromptNeeds::Text) == 20);
    const text::SetPrompt first = *set.next();
    CHECK(first.text != *first.source);
    CHECK_FALSE(first.target.empty());
    for (const char* const where : {"task:none", "task:induction:0", "task:induction:3:x"})
        CHECK(isRefused([&] { train::countPrompts(where, text::PromptNeeds::Text); }, ""));
    CHECK(isRefused([] { train::openPrompts("task:induction", text::PromptNeeds::Text, nullptr); },
                    "no tokenizer"));
}

TEST_CASE("the content of a set is told from others, be it a file, a folder or a task")
{
    const test::TempDir folder;
    const auto hashOf = [&](const std::string& content) {
        folder.write("set/a.txt", content);
        return train::contentHashOf((folder / "set").string()) +
               train::contentHashOf(folder.write("a.jsonl", content).string());
    };
    CHECK(hashOf("one") == hashOf("one"));
    CHECK(hashOf("one") != hashOf("two"));
    CHECK(train::contentHashOf("task:induction:1") != train::contentHashOf("task:induction:2"));
}

TEST_CASE("what is wrong with a prompt leaves it out with where it is, and other failures end the work")
{
    text::SetPrompt prompt;
    prompt.index = 2;
    prompt.where = "Line 3 of p";
    std::vector<text::LeftOutPrompt> leftOut;
    CHECK(text::doneOrLeftOut(prompt, leftOut, [] { return 7; }) == 7);
    CHECK_FALSE(
        text::doneOrLeftOut(prompt, leftOut, []() -> int { fail(ErrorCode::BadRequest, "No such token."); }));
    CHECK(leftOut == std::vector<text::LeftOutPrompt>{{2, "Line 3 of p: No such token."}});
    CHECK(isRefused(
        [&] {
            text::doneOrLeftOut(prompt, leftOut, []() -> int { fail(ErrorCode::Cancelled, "Cancelled."); });
        },
        "Cancelled"));
    CHECK(isRefused([&] { app::reportLeftOut(leftOut, 10); }, "1 of 10 prompts were left out"));
    app::reportLeftOut({}, 10);
}
