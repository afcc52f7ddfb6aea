#include "base/head_change.h"
#include "support/catch.h"

using namespace hs;

TEST_CASE("a change of a head is written as it is read")
{
    for (const std::string text :
         {"zero", "mean", "patch", "[14<10]", "[*<0]:renormalise", "[14<*]:scale=0.5", "[8-12<2-4]:patch",
          "[*<*]", "[2<1]:zero[3<3]:scale=2", "[2<1]:zero[3<3]"})
        REQUIRE(toString(orThrow(parseHeadChange(text))) == text);
}

TEST_CASE("blocks without a method take that of the next block that has one")
{
    const HeadChange change = orThrow(parseHeadChange("[1<0][2<0]:renormalise[3<0]"));
    REQUIRE(change.cells.size() == 3);
    REQUIRE(change.cells[0].method.kind == CellMethod::Kind::Renormalise);
    REQUIRE(change.cells[1].method.kind == CellMethod::Kind::Renormalise);
    REQUIRE(change.cells[2].method == CellMethod());
}

TEST_CASE("what is no change of a head is refused in a sentence")
{
    for (const std::string text : {"",
                                   "none",
                                   "[",
                                   "[]",
                                   "[1]",
                                   "[1<]",
                                   "[<1]",
                                   "[1<0",
                                   "[1<0]x",
                                   "[1<0]:",
                                   "[1<0]:mean",
                                   "[-1<0]",
                                   "[3-2<0]",
                                   "[1<0]:scale=",
                                   "[1<0]:scale=nan",
                                   "[1<0]:scale=2.5",
                                   "[1<0]:scale=-1",
                                   "[0<1]",
                                   "[99999999999<0]",
                                   "zero[1<0]"}) {
        const auto change = parseHeadChange(text);
        INFO(text);
        REQUIRE_FALSE(change);
        REQUIRE(change.error().message.ends_with("."));
    }
}

TEST_CASE("a block covers the rows and columns that have its cells")
{
    const auto bounds = [](const std::string& text) {
        const CellBounds found = orThrow(parseHeadChange(text)).cells.front().cells.boundsIn(6);
        return std::vector{found.query, found.queryEnd, found.key, found.keyEnd};
    };
    REQUIRE(bounds("[4<2]") == std::vector{4, 5, 2, 3});
    REQUIRE(bounds("[*<0]") == std::vector{0, 6, 0, 1});
    REQUIRE(bounds("[*<3]") == std::vector{3, 6, 3, 4});
    REQUIRE(bounds("[4<*]") == std::vector{4, 5, 0, 5});
    REQUIRE(bounds("[2-4<3-5]") == std::vector{3, 5, 3, 5});
}

TEST_CASE("a change goes as far as the prompt does")
{
    const auto kept = [](const std::string& text, int length) {
        const auto change = within(orThrow(parseHeadChange(text)), length);
        return change ? toString(*change) : "nothing";
    };
    REQUIRE(kept("[8-12<2-4]", 11) == "[8-10<2-4]");
    REQUIRE(kept("[8-12<2-4]", 8) == "nothing");
    REQUIRE(kept("[14<10][*<0]", 5) == "[*<0]");
    REQUIRE(kept("mean", 1) == "mean");
}

TEST_CASE("a change of the whole head takes the place of changes of its cells")
{
    const auto parsed = [](const std::string& text) { return orThrow(parseHeadChange(text)); };
    REQUIRE(toString(together(parsed("[1<0]"), parsed("[2<0]:renormalise"))) ==
            "[1<0]:zero[2<0]:renormalise");
    REQUIRE(toString(together(parsed("[1<0]"), parsed("mean"))) == "mean");
    REQUIRE(toString(together(parsed("mean"), parsed("[1<0]"))) == "mean");
}
