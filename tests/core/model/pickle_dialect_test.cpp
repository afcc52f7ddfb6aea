#include "base/failure.h"
#include "model/pickle_dialect.h"
#include "support/catch.h"

using namespace hs;
using namespace std::string_literals;

namespace {

std::string translated(const std::string& pickle)
{
    return toTorchPickle(std::as_bytes(std::span(pickle)), "a.pth");
}

bool isRefused(const std::string& pickle)
{
    return !guarded([&] { return translated(pickle); });
}

}  // namespace

TEST_CASE("single items become lists of one")
{
    // {1: {2: 3}} and [4], as Python writes them.
    CHECK(translated("\x80\x02}K\x01}K\x02K\x03ss."s) == "\x80\x02}(K\x01}(K\x02K\x03uu."s);
    CHECK(translated("]K\x04"
                     "a."s) == "](K\x04"
                               "e."s);
    CHECK(translated("}(K\x01K\x02K\x03K\x04u."s) == "}(K\x01K\x02K\x03K\x04u."s);
}

TEST_CASE("an OrderedDict becomes a dict, also when its class is recalled")
{
    // {1: OrderedDict(), 2: OrderedDict()}: the class is memorised in slot 0.
    const std::string python = "}(K\x01"
                               "ccollections\nOrderedDict\nq\0)RK\x02h\0)Ru."s;
    CHECK(translated(python) == "}(K\x01}K\x02}u."s);
    CHECK(translated("ctorch._utils\n_rebuild_tensor_v2\n)R."s) == "ctorch._utils\n_rebuild_tensor_v2\n)R."s);
}

TEST_CASE("attributes go beside their object")
{
    CHECK(translated("}}b."s) == "}}\x86."s);
}

TEST_CASE("an instruction without operands is refused before anyone trusts it")
{
    for (const std::string& pickle :
         {"."s, "R."s, "s."s, "K\x01s."s, "}K\x01s."s, "u."s, "(u."s, "}(a."s, "q\x01."s, "\x87."s, "(Q."s,
          "K"s, "X\xff\xff\xff\xff."s, "cos\nsystem"s,
          "\x8a\x05"
          "a"s,
          ""s, "}("s, "t."s})
        CHECK(isRefused(pickle));
}

TEST_CASE("instructions that no state dict needs are refused")
{
    for (const char code : {'o', 'i', 'P', 'p', 'S', 'T', 'U', 'V', '\x81', '\x82', '\x93', '\x95', '\0'})
        CHECK(isRefused(std::string("}") + code + "."));
}
