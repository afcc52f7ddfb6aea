#include "remote/tree.h"

#include "base/draws.h"
#include "support/catch.h"
#include "support/refusals.h"

#include <cmath>
#include <limits>

using namespace hs;
using namespace hs::remote;

namespace {

Tree randomTree(Draws& draws, int depth)
{
    switch (draws.below(depth > 0 ? 10 : 8)) {
    case 0: return nullptr;
    case 1: return draws.coin();
    case 2: return static_cast<std::int64_t>(draws.next()) >> draws.below(64);
    case 3: return draws.next() >> draws.below(64);
    case 4: return static_cast<double>(draws.next()) * 1e-30;
    case 5: return 0.5;
    case 6:
        return std::string(static_cast<std::size_t>(draws.below(300)), static_cast<char>(draws.below(256)));
    case 7: return arrayOf(std::vector<std::uint8_t>(static_cast<std::size_t>(draws.below(70'000))));
    case 8: {
        Tree list = Tree::array();
        for (std::int64_t count = draws.below(40); count > 0; --count)
            list.push_back(randomTree(draws, depth - 1));
        return list;
    }
    default: {
        Tree object = Tree::object();
        for (std::int64_t count = draws.below(40); count > 0; --count)
            object[std::to_string(draws.below(100))] = randomTree(draws, depth - 1);
        return object;
    }
    }
}

std::string refusalOfTree(const std::string& bytes)
{
    return test::refusalOf([&] { decodeTree(bytes); });
}

}  // namespace

TEST_CASE("trees read as they were written")
{
    Draws draws({1});
    for (int round = 0; round < 300; ++round) {
        const Tree tree = randomTree(draws, 3);
        REQUIRE(decodeTree(encodeTree(tree)) == tree);
    }
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(decodeTree(encodeTree(infinity)) == infinity);
    CHECK(decodeTree(encodeTree(-infinity)) == -infinity);
    CHECK(std::isnan(decodeTree(encodeTree(std::nan(""))).get<double>()));
}

TEST_CASE("a tree is refused wherever it is cut, and if anything follows it")
{
    const std::string bytes = encodeTree({{"a", {1, 2.5, "text"}}, {"b", arrayOf(std::vector<float>{1, 2})}});
    for (std::size_t length = 0; length < bytes.size(); ++length)
        CHECK(refusalOfTree(bytes.substr(0, length)).find("ends before its time") != std::string::npos);
    CHECK(refusalOfTree(bytes + "x").find("goes on after its end") != std::string::npos);
}

TEST_CASE("a tree may be 32 deep, and of a million values")
{
    const auto nested = [](std::size_t depth) { return std::string(depth, '\x81') + '\xf6'; };
    CHECK(refusalOfTree(nested(32)).empty());
    CHECK(refusalOfTree(nested(33)).find("too deeply") != std::string::npos);
    CHECK(refusalOfTree(nested(10'000'000)).find("too deeply") != std::string::npos);
    const auto wide = [](std::size_t count) { return encodeTree(Tree(std::vector<bool>(count))); };
    CHECK(refusalOfTree(wide(999'999)).empty());
    CHECK(refusalOfTree(wide(1'000'000)).find("more than 1,000,000 values") != std::string::npos);
}

TEST_CASE("what only a hostile machine writes is refused")
{
    CHECK(refusalOfTree("\x9f\x01\xff").find("not given in advance") != std::string::npos);
    CHECK(refusalOfTree(std::string(1'000'000, '\x7f')).find("not given in advance") != std::string::npos);
    CHECK(refusalOfTree("\xc1\x01").find("tag") != std::string::npos);
    CHECK(refusalOfTree("\xa2\x61"
                        "a\x01\x61"
                        "a\x02")
              .find("a key twice") != std::string::npos);
    CHECK(refusalOfTree("\xa1\x01\x01").find("no text") != std::string::npos);
    CHECK(refusalOfTree("\x3b\xff\xff\xff\xff\xff\xff\xff\xff").find("does not fit") != std::string::npos);
    for (const char type : {'\x5b', '\x7b', '\x9b', '\xbb'})  // lengths of 2^64 - 1
        CHECK(refusalOfTree(type + std::string(8, '\xff')).find("ends before") != std::string::npos);
}

TEST_CASE("arrays keep their numbers, and one of another size or kind is refused with a sentence")
{
    const std::vector<double> numbers = {1, -0.0, std::numeric_limits<double>::denorm_min(), 1e300};
    const Tree tree = {{"weights", arrayOf(numbers)}, {"text", "x"}};
    CHECK(readArray<double>(reader(tree)["weights"], 4) == numbers);
    const Tree others = {{"integers", arrayOf(std::vector<std::int64_t>{-1, 1})},
                         {"none", arrayOf(std::vector<float>{})}};
    CHECK(readArray<std::int64_t>(reader(others)["integers"], 2) == std::vector<std::int64_t>{-1, 1});
    CHECK(readArray<float>(reader(others)["none"], 0).empty());
    CHECK(
        test::refusalOf([&] { readArray<double>(reader(tree)["weights"], 5); }) ==
        "The other machine's message: \"weights\" should be an array of 40 bytes, not an array of 32 bytes; "
        "update HeadScope on both machines.");
    CHECK(test::isRefused([&] { readArray<double>(reader(tree)["text"], 1); }, "not \"x\""));
    CHECK(test::isRefused([&] { readArray<double>(reader(tree)["none"], 1); }, "lacks \"none\""));
    CHECK(test::isRefused([&] { readArray<double>(reader(tree)["weights"], SIZE_MAX / 2); },
                          "more numbers than"));
}
