#include "base/head_id.h"
#include "support/catch.h"

using namespace hs;

namespace {

const HeadShape kHeads = {4, 6, 2};

std::string listed(std::string_view item)
{
    const auto heads = parseHeads(item, kHeads);
    if (!heads)
        return heads.error().message;
    std::string text;
    for (const HeadId head : *heads)
        text += toString(head) + " ";
    return text;
}

}  // namespace

TEST_CASE("a head's text form reads back as the same head")
{
    for (int index = 0; index < kHeads.total(); ++index) {
        const HeadId head = kHeads.at(index);
        CHECK(kHeads.indexOf(head) == index);
        CHECK(listed(toString(head)) == toString(head) + " ");
    }
}

TEST_CASE("stars, ranges and key/value groups stand for several heads")
{
    CHECK(listed("L1H*") == "L1H0 L1H1 L1H2 L1H3 L1H4 L1H5 ");
    CHECK(listed("L*H3") == "L0H3 L1H3 L2H3 L3H3 ");
    CHECK(listed("L2-3H1-2") == "L2H1 L2H2 L3H1 L3H2 ");
    CHECK(listed("L2KV1") == "L2H3 L2H4 L2H5 ");
}

TEST_CASE("an MLP's text form reads back as the same MLP, behind the heads of its layer")
{
    for (const HeadId mlp : {HeadId::mlpOf(0), HeadId::mlpOf(2'000'000'000)}) {
        const auto read = parseUnit(toString(mlp));
        REQUIRE(read.ok());
        CHECK(*read == mlp);
    }
    CHECK(toString(HeadId::mlpOf(4)) == "L4MLP");
    CHECK(HeadId{4, 1'999'999'999} < HeadId::mlpOf(4));
    CHECK(HeadId::mlpOf(4) < HeadId{5, 0});
    CHECK_FALSE(kHeads.contains(HeadId::mlpOf(0)));
    CHECK(kHeads.containsUnit(HeadId::mlpOf(3)));
    CHECK_FALSE(kHeads.containsUnit(HeadId::mlpOf(4)));
    CHECK(kHeads.all(Units::HeadsAndMlps).size() == kHeads.all().size() + 4);
}

TEST_CASE("stars and ranges stand for several MLPs, where MLPs are meant")
{
    const auto listedUnits = [](std::string_view item) {
        const auto units = parseUnits(item, kHeads);
        if (!units)
            return units.error().message;
        std::string text;
        for (const HeadId unit : *units)
            text += toString(unit) + " ";
        return text;
    };
    CHECK(listedUnits("L1MLP") == "L1MLP ");
    CHECK(listedUnits("L*MLP") == "L0MLP L1MLP L2MLP L3MLP ");
    CHECK(listedUnits("L1-2MLP") == "L1MLP L2MLP ");
    CHECK(listedUnits("L1H2") == "L1H2 ");
    CHECK(listedUnits("L4MLP").find("4 layers") != std::string::npos);
    CHECK(listedUnits("L1MLPS").find("or L3MLP.") != std::string::npos);
    CHECK(listed("L1MLP").find("only heads are meant") != std::string::npos);
    CHECK_FALSE(parseHead("L1MLP").ok());
}

TEST_CASE("what is no head is refused with the way to write one")
{
    for (const char* item :
         {"", "L", "3.7", "L1", "LH", "L1H", "L-1H0", "L1H2x", "L2-1H0", "H1L1", "L1H99999999999999", "l1h1"})
        CHECK(listed(item).find("write L3H7") != std::string::npos);
    CHECK(listed("L4H0").find("4 layers") != std::string::npos);
    CHECK(listed("L0H6").find("6 heads") != std::string::npos);
    CHECK(listed("L0KV2").find("2 key/value heads") != std::string::npos);
}

TEST_CASE("one head is read without knowing the model, and only one")
{
    for (const HeadId head : {HeadId{0, 0}, HeadId{3, 7}, HeadId{2'000'000'000, 1'999'999'999}}) {
        const auto read = parseHead(toString(head));
        REQUIRE(read.ok());
        CHECK(*read == head);
    }
    for (const char* text :
         {"", "L*H*", "L0-9H0", "L1KV0", "L1H*", "L-1H0", "L1H2 ", "L1", "L1H99999999999999", "x"})
        CHECK_FALSE(parseHead(text).ok());
}

TEST_CASE("heads outside the shape can be left out instead of refused")
{
    const auto count = [](std::string_view item, const HeadShape& shape) {
        const auto heads = parseHeadsWithin(item, shape);
        REQUIRE(heads.ok());
        return heads->size();
    };
    CHECK(count("L3-99H5-99", kHeads) == 1);
    CHECK(count("L4H0", kHeads) == 0);
    CHECK(count("L0KV1-2000000000", kHeads) == 3);
    CHECK(count("L0KV2000000000", kHeads) == 0);
    CHECK(count("L*H*", {}) == 0);
    CHECK(count("L*KV*", {}) == 0);
    CHECK_FALSE(parseHeadsWithin("L9H", kHeads).ok());
}

TEST_CASE("a head's counterpart in another model is as deep there: ends meet ends, and equal shapes are the "
          "identity")
{
    const HeadShape smol{30, 9, 3};
    const HeadShape qwen{24, 14, 2};
    CHECK(atSameDepth({18, 2}, smol, qwen) == HeadId{14, 3});
    CHECK(atSameDepth({0, 0}, smol, qwen) == HeadId{0, 0});
    CHECK(atSameDepth({29, 8}, smol, qwen) == HeadId{23, 13});
    CHECK(atSameDepth({23, 13}, qwen, smol) == HeadId{29, 8});
    CHECK(atSameDepth({0, 0}, {1, 1, 1}, qwen) == HeadId{0, 0});
    CHECK(atSameDepth({5, 5}, qwen, {1, 1, 1}) == HeadId{0, 0});
    CHECK(smol.hasSameHeads({30, 9, 9}));
    for (int index = 0; index < smol.total(); ++index) {
        CHECK(atSameDepth(smol.at(index), smol, smol) == smol.at(index));
        CHECK(qwen.contains(atSameDepth(smol.at(index), smol, qwen)));
    }
}
