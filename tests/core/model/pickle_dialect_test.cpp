#include "base/failure.h"
#include "model/pickle_dialect.h"
#include "support/catch.h"

using namespace hs;
using namespace std::string_literals;

namespace {

std::string translated(const std::string& pickle)
{
    return model::toTorchPickle(std::as_bytes(std::span(pickle)), "a.pth");
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

TEST_CASE("a dictionary whose last key has no value is refused")
{
    CHECK(isRefused("}(K\x01K\x02K\x03u."s));
    CHECK_FALSE(isRefused("](K\x01K\x02K\x03"
                          "e."s));
}

TEST_CASE("a memory far beyond all others is refused, for libtorch would make room for all of them")
{
    CHECK(isRefused("}r\xff\xff\xff\xff."s));
    CHECK_FALSE(isRefused("}r\xff\xff\0\0."s));
}

TEST_CASE("containers may lie in one another, but not without end")
{
    const std::string tuples(90, '\x85');
    CHECK_FALSE(isRefused("}" + tuples + "."));
    CHECK(isRefused("}" + std::string(100'000, '\x85') + "."));
    // The same through memos, each built on the one before.
    CHECK(isRefused("(}" + tuples + "q\0h\0"s + tuples + "t."));
    CHECK(isRefused("(]]" + tuples + "aq\0h\0"s + tuples + "t."));
    CHECK_FALSE(isRefused("(]]" + tuples + "aq\0h\0t."s));
}

TEST_CASE("a container that holds itself is refused")
{
    CHECK(isRefused("]q\0(h\0e."s));
    CHECK(isRefused("}q\0K\x01h\0s."s));
    // [a] is put into a.
    CHECK(isRefused("(]q\0]h\0aq\x01"
                    "h\0h\x01"
                    "at."s));
    CHECK_FALSE(isRefused("(]q\0]h\0aq\x01"
                          "h\0h\x01"
                          "t."s));
}

TEST_CASE("only classes of state dicts are let through, and only to be what they are")
{
    for (const char* name : {"torch.jit._pickle\nrestore_type_tag", "torch.distributed.rpc\nrref",
                             "torch._utils\n_rebuild_sparse_tensor", "os\nsystem", "torch\nQInt8Storage"})
        CHECK(isRefused("c" + std::string(name) + "\n."));
    CHECK(isRefused("K\0)R."s));
    CHECK(isRefused("ctorch\nFloatStorage\n)R."s));
}

TEST_CASE("a pickle ends with its one value")
{
    for (const std::string& pickle : {"}}."s, "}(."s, "ccollections\nOrderedDict\n."s})
        CHECK(isRefused(pickle));
}

TEST_CASE("a storage has a type that libtorch need not guess")
{
    const std::string rest = "X\x01\0\0\0"
                             "0X\x03\0\0\0cpuK\x01tQ."s;
    const std::string name = "(X\x07\0\0\0storage"s;
    CHECK_FALSE(isRefused(name + "ctorch\nFloatStorage\n" + rest));
    CHECK(isRefused(name + "K\xff" + rest));
}

TEST_CASE("what stands between an OrderedDict and its call is not lost")
{
    const std::string made = "ccollections\nOrderedDict\n";
    CHECK(isRefused(made + ")K\x01K\x02sR."s));
    CHECK(isRefused(made + ")q\0R."s));
    CHECK(isRefused(made + "]R."s));
    CHECK(isRefused("]" + made + "a."));
}
