#include "lint/architecture.h"

#include "support/catch.h"

using namespace hs::lint;

namespace {

Architecture read(const std::string& rows)
{
    return readArchitecture({"A.md", "# Page\n\n| folder | is | may use |\n| --- | --- | --- |\n" + rows +
                                         "\nText | after `it`.\n"});
}

}  // namespace

TEST_CASE("a row names folders, and what they may use")
{
    const Architecture found = read("| `core/base` | files | the standard library |\n"
                                    "| `core/text`, `core/model` | two | `core/base`, PCRE2 |\n"
                                    "| `core/engine` | runs; many files: why | the above, libtorch |\n"
                                    "| `tests` | laws | everything |\n");
    CHECK(found.problems == Findings{});
    REQUIRE(found.rows.size() == 4);
    CHECK(found.rows[1].folders == std::vector<std::string>{"core/text", "core/model"});
    CHECK(found.rows[1].mayUse == std::vector<std::string>{"core/base"});
    CHECK(found.rows[1].libraries == std::set<std::string>{"PCRE2"});
    CHECK(found.rows[2].mayUse == std::vector<std::string>{"core/base", "core/text", "core/model"});
    CHECK(found.rows[2].libraries == std::set<std::string>{"libtorch"});
    CHECK(found.rows[2].mayHaveManyFiles);
    CHECK_FALSE(found.rows[1].mayHaveManyFiles);
    CHECK(found.rows[3].mayUseAll);
}

TEST_CASE("a file belongs to the longest folder that contains it")
{
    const Architecture found = read("| `ui` | all | nothing |\n| `ui/panels` | some | nothing |\n");
    CHECK(found.rowOf("ui/panels/heads/view.h") == &found.rows[1]);
    CHECK(found.rowOf("ui/panels") == &found.rows[1]);
    CHECK(found.rowOf("ui/panels_old/view.h") == &found.rows[0]);
    CHECK(found.rowOf("core/x.h") == nullptr);
}

TEST_CASE("a folder above those of the table stands for all of them")
{
    CHECK(read("| `core/base` | a | nothing |\n| `ui` | b | `core` |\n").problems.empty());
    CHECK(read("| `core/base` | a | nothing |\n| `ui` | b | `cor` |\n").problems.size() == 1);
}

TEST_CASE("what a table says has to be understood")
{
    CHECK(read("").problems.size() == 1);
    CHECK(readArchitecture({"A.md", "no table"}).problems.size() == 1);
    CHECK(read("| `core` | a | Boost |\n").problems.size() == 1);
    CHECK(read("| core | a | nothing |\n").problems.size() == 2);
    CHECK(read("| `core` | a |\n").problems.size() == 2);
    CHECK(read("| `core` | a | nothing |\n| `core` | again | nothing |\n").problems.size() == 1);
}
