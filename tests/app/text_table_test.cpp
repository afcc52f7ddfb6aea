#include "app/support/text_table.h"

#include "support/catch.h"

using namespace hs;

TEST_CASE("names stand at the left, as wide as the widest, and values at the right of their columns")
{
    app::TextTable table;
    table.add("", {"dense", "sparse"});
    table.add("edges a head", {"12.5", "3"});
    table.add("loss", {"1.25", "-0.5"});
    CHECK(table.text() == "                     dense        sparse\n"
                          "edges a head          12.5             3\n"
                          "loss                  1.25          -0.5\n");
}

TEST_CASE("a column is as wide as its widest value, in characters, and a row may have fewer values")
{
    app::TextTable table;
    table.add("a", {"a value of many words", "1"});
    table.add("b", {"14 ← 10"});
    table.add("c", {});
    CHECK(table.text() == "a  a value of many words             1\n"
                          "b                14 ← 10\n"
                          "c\n");
    CHECK(app::TextTable().text() == "");
}
