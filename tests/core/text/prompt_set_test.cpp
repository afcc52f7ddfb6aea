#include "text/prompt_set.h"

#include "support/catch.h"
#include "support/refusals.h"
#include "support/temp_dir.h"

using namespace hs;
using hs::test::isRefused;
using text::PromptNeeds;
using text::SetPrompt;

namespace {

std::vector<SetPrompt> allOf(text::PromptSet set)
{
    const int count = set.count();
    std::vector<SetPrompt> prompts;
    while (std::optional<SetPrompt> prompt = set.next())
        prompts.push_back(std::move(*prompt));
    CHECK(count == std::ssize(prompts));
    for (int index = 0; index < count; ++index)
        CHECK(prompts[static_cast<std::size_t>(index)].index == index);
    return prompts;
}

}  // namespace

TEST_CASE("a text is a set with a prompt a line, whatever its lines end with")
{
    const test::TempDir folder;
    const std::string file = folder.write("p.txt", "\xef\xbb\xbf{one}\r\n\n  two\nthree").string();
    const auto prompts = allOf({file, PromptNeeds::Text});
    REQUIRE(prompts.size() == 3);
    CHECK(prompts[0].text == "{one}");
    CHECK(prompts[1].text == "  two");
    CHECK(prompts[2].where == "Line 4 of " + file);
}

TEST_CASE(
    "JSON lines are told from a text by their first brace, and a bad line is named while the others are read")
{
    const test::TempDir folder;
    const std::string file = folder
                                 .write("p", "\n{\"text\": \"a\", \"target\": \"b\"}\nnonsense\n"
                                             "{\"text\": \"c\"}\n[]\n{\"text\": 3, \"target\": \"b\"}\n"
                                             "{\"text\": \"\", \"target\": \"b\"}\n"
                                             "{\"clean\": \"d\", \"target\": \"e\", \"versus\": null, "
                                             "\"corrupt\": \"f\"}\n")
                                 .string();
    const auto prompts = allOf({file, PromptNeeds::Question});
    REQUIRE(prompts.size() == 7);
    const char* const problems[] = {"",
                                    "Line 3 of",
                                    "lacks \"target\"",
                                    "an object in braces",
                                    "Line 6 of",
                                    "a text with something in it",
                                    ""};
    for (std::size_t index = 0; index < prompts.size(); ++index) {
        INFO(prompts[index].problem);
        CHECK(prompts[index].problem.empty() == !*problems[index]);
        CHECK(prompts[index].problem.find(problems[index]) != std::string::npos);
    }
    CHECK(prompts[6].text == "d");
    CHECK(prompts[6].source == "f");
    CHECK_FALSE(prompts[6].versus);
    CHECK_FALSE(allOf({file, PromptNeeds::Text})[2].problem.size());
    CHECK(allOf({file, PromptNeeds::Pair})[6].problem.find("\"versus\"") != std::string::npos);
}

TEST_CASE("CSV has names in its first row and quotes as RFC 4180 has them")
{
    const test::TempDir folder;
    const std::string file = folder
                                 .write("p.csv", "text,target,versus\r\n"
                                                 "\"a, \"\"b\"\"\nc\",d,\r\n"
                                                 "e,f\r\n"
                                                 "g\"h,i,j\r\n"
                                                 "k,l,m\r\n"
                                                 "\"open,n,o\r\n")
                                 .string();
    const auto prompts = allOf({file, PromptNeeds::Question});
    REQUIRE(prompts.size() == 5);
    CHECK(prompts[0].text == "a, \"b\"\nc");
    CHECK(prompts[0].target == "d");
    CHECK_FALSE(prompts[0].versus);
    CHECK(prompts[1].problem.find("Line 4 of") == 0);
    CHECK(prompts[1].problem.find("has 2 fields") != std::string::npos);
    CHECK(prompts[2].problem.find("quote within a field") != std::string::npos);
    CHECK(prompts[3].versus == "m");
    CHECK(prompts[4].problem.find("never closed") != std::string::npos);
    CHECK(isRefused([&] { text::PromptSet(folder.write("q.csv", "a,a\n1,2\n").string(), PromptNeeds::Text); },
                    "row of names"));
}

TEST_CASE("a folder is a set of its texts, by name")
{
    const test::TempDir folder;
    folder.write("set/b.txt", "second\n\n");
    folder.write("set/a.txt", "first\nline\r\n");
    folder.write("set/c.txt", "\n");
    folder.write("set/d.md", "none");
    const auto prompts = allOf({(folder / "set").string(), PromptNeeds::Text});
    REQUIRE(prompts.size() == 3);
    CHECK(prompts[0].text == "first\nline");
    CHECK(prompts[1].text == "second");
    CHECK(prompts[2].problem.find("c.txt") != std::string::npos);
}

TEST_CASE("what holds no prompts is refused, and so is what is not there")
{
    const test::TempDir folder;
    CHECK(isRefused(
        [&] { text::PromptSet(folder.write("e.txt", "\n \n").string(), PromptNeeds::Text).count(); },
        "holds no prompts"));
    CHECK(
        isRefused([&] { text::PromptSet((folder / "none").string(), PromptNeeds::Text); }, "check the path"));
    std::filesystem::create_directory(folder / "empty");
    CHECK(isRefused([&] { text::PromptSet((folder / "empty").string(), PromptNeeds::Text).count(); },
                    "holds no prompts"));
}

TEST_CASE("a template takes its values from a file's fields, or from the slots of a line")
{
    const test::TempDir folder;
    const std::string table = folder.write("v.csv", "name,thing\nMary,ball\nJohn,\n").string();
    const auto prompts = allOf({table, PromptNeeds::Text, "{name} gave {{a}} {thing}."});
    CHECK(prompts[0].text == "Mary gave {a} ball.");
    CHECK(prompts[0].slots == std::vector<text::SlotSpan>{{"name", 0, 4}, {"thing", 14, 18}});
    CHECK(prompts[1].problem.find("Line 3 of") == 0);
    CHECK(prompts[1].problem.find("{thing}") != std::string::npos);
    const auto own =
        allOf({folder
                   .write("t.jsonl", "{\"template\": \"{a} {b}\", \"slots\": {\"a\": \"x\", \"b\": \"y\"}}\n"
                                     "{\"template\": \"{a\", \"slots\": {\"a\": \"x\"}}\n")
                   .string(),
               PromptNeeds::Text});
    CHECK(own[0].text == "x y");
    CHECK(own[1].problem.find("brace") != std::string::npos);
}

TEST_CASE("tokens that share a byte with a slot are its cell, every other token is one")
{
    // "<s>When Mary ann gave": the slot is "Mary ann", bytes 5 to 13
    const text::Encoding encoding{{0, 1, 2, 3, 4}, {{0, 0}, {0, 4}, {4, 9}, {9, 13}, {13, 18}}};
    const auto cells = text::templateCells(encoding, {{"name", 5, 13}});
    REQUIRE(cells);
    CHECK(*cells == std::vector<text::TemplateCell>{{0, 1, ""}, {1, 1, ""}, {2, 2, "{name}"}, {4, 1, ""}});
    CHECK_FALSE(text::templateCells(encoding, {{"a", 5, 6}, {"b", 6, 7}}));
    CHECK_FALSE(text::templateCells(encoding, {{"a", 20, 22}}));
}
