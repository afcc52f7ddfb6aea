#include "lint/source_rules.h"

#include "support/catch.h"

using namespace hs::lint;

TEST_CASE("no source file reaches 500 lines")
{
    CHECK(checkLength({"core/base/x.cpp", std::string(499, '\n')}).empty());
    CHECK_FALSE(checkLength({"core/base/x.cpp", std::string(500, '\n')}).empty());
    CHECK(checkLength({"LICENSE", std::string(700, '\n')}).empty());
}

TEST_CASE("no file names a path of one machine")
{
    const std::string slash = "/";
    for (const std::string& text :
         {slash + "work/x", "a \"" + slash + "root/.cache\"", "=" + slash + "home/ann/x"}) {
        CAPTURE(text);
        CHECK_FALSE(checkMachinePaths({"README.md", "first\n" + text + "\n"}).empty());
    }
    CHECK(checkMachinePaths({"README.md", "the frame" + slash + "work/flow\n${dir}" + slash + "root/\n"})
              .empty());
}

TEST_CASE("no test has a semicolon in its name")
{
    const std::string begin = "TEST_CASE(\"one law";
    CHECK(checkTestNames({"tests/a_test.cpp", begin + "; another\")\n"}).size() == 1);
    CHECK(checkTestNames({"tests/a_test.cpp", begin + ", another\") {} int a;\n"}).empty());
}

TEST_CASE("a package list is sorted and names nothing twice")
{
    CHECK(checkPackageList({"p.txt", "# all\nalpha # why\nbeta\n\ngamma"}).empty());
    CHECK_FALSE(checkPackageList({"p.txt", "beta\nalpha\n"}).empty());
    CHECK_FALSE(checkPackageList({"p.txt", "alpha\nalpha # again\n"}).empty());
}
