#include "gguf/container.h"

#include "core/gguf/gguf_bytes.h"
#include "core/model/safetensors_bytes.h"
#include "gguf/checkpoint_form.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <algorithm>

using namespace hs;
using namespace hs::test;

namespace {

/// Three parts, the tensors one in each of the last two.
void writeParts(const TempDir& folder, const std::vector<std::string>& names, int lastTensors = 2)
{
    for (std::uint16_t part = 0; part < 3; ++part) {
        GgufBytes file;
        file.raw("split.no", GgufBytes::U16, GgufBytes::packed(part))
            .raw("split.count", GgufBytes::U16, GgufBytes::packed(std::uint16_t{3}))
            .raw("split.tensors.count", GgufBytes::I32, GgufBytes::packed(std::int32_t{lastTensors}));
        if (part == 0)
            file.text("general.architecture", "llama");
        else
            file.floats("part" + std::to_string(part), {2}, {1.0f * part, 2});
        folder.write(names[part], file.bytes());
    }
}

const std::vector<std::string> kParts = {"m-00001-of-00003.gguf", "m-00002-of-00003.gguf",
                                         "m-00003-of-00003.gguf"};

std::string problemOf(const std::filesystem::path& file)
{
    return errorOf([&] { gguf::Container::open(gguf::filesOf(file)); }).message;
}

}  // namespace

TEST_CASE("values are read from integers of every width, and others are refused by name")
{
    GgufBytes file;
    file.raw("a", GgufBytes::U8, "\x07").raw("b", GgufBytes::I64, GgufBytes::packed(std::int64_t{-9}));
    file.raw("c", GgufBytes::U64, GgufBytes::packed(~std::uint64_t{0})).text("d", "text").number("e", 1.5f);
    file.list<std::int32_t>("f", GgufBytes::I32, {4, 4, 4}).list<std::int32_t>("g", GgufBytes::I32, {4, 5});
    const std::string bytes = file.bytes();
    const gguf::Header header = gguf::readHeader(asBytes(bytes), "x.gguf");
    const gguf::Metadata& keys = header.metadata;
    CHECK(keys.integer("a", 0, 10) == 7);
    CHECK(keys.integer("b", -10, 10) == -9);
    CHECK(keys.integer("f", 0, 10) == 4);
    CHECK(!keys.integer("none", 0, 10));
    CHECK(keys.number("e") == 1.5);
    CHECK(keys.number("a") == 7);
    CHECK(keys.text("d") == "text");
    for (const char* const key : {"a", "c", "d", "e", "g"})
        CHECK(contains(errorOf([&] { keys.integer(key, 0, 5); }).message, std::string("\"") + key + "\""));
    CHECK(contains(errorOf([&] { keys.text("a"); }).message, "a text"));
    CHECK(contains(errorOf([&] { keys.texts("f"); }).message, "a list of texts"));
    CHECK(contains(errorOf([&] { keys.numbers("f"); }).message, "32-bit"));
}

TEST_CASE("versions 2 and 3 hold the same, and others are named")
{
    GgufBytes file = tinyGguf();
    for (const std::uint32_t version : {2u, 3u}) {
        file.version = version;
        const std::string bytes = file.bytes();
        CHECK(gguf::readHeader(asBytes(bytes), "x").tensors.size() == 11);
    }
    const auto problem = [&](std::uint32_t version) {
        file.version = version;
        const std::string bytes = file.bytes();
        return errorOf([&] { gguf::readHeader(asBytes(bytes), "x"); }).message;
    };
    CHECK(contains(problem(1), "version 1"));
    CHECK(contains(problem(4), "version 4"));
    CHECK(contains(problem(0x03000000), "big-endian"));
}

TEST_CASE("a split model opens from any of its parts")
{
    const TempDir folder;
    writeParts(folder, kParts);
    for (const std::string& part : kParts) {
        const gguf::Container model = gguf::Container::open(gguf::filesOf(folder / part));
        CHECK(model.metadata().text("general.architecture") == "llama");
        REQUIRE(model.find("part2"));
        CHECK(model.find("part2")->shape == std::vector<std::int64_t>{2});
        float first = 0;
        std::memcpy(&first, model.bytes("part2").data(), sizeof first);
        CHECK(first == 2);
    }
    CHECK(gguf::splitPrefix(kParts[1]) == "m");
    CHECK(gguf::splitPrefix("m-00001-of-0003.gguf").empty());
}

TEST_CASE("parts that are missing, renamed, exchanged or too few are named")
{
    const TempDir missing;
    writeParts(missing, kParts);
    std::filesystem::remove(missing / kParts[1]);
    CHECK(contains(problemOf(missing / kParts[0]), kParts[1]));
    const TempDir renamed;
    writeParts(renamed, {"a.gguf", "b.gguf", "c.gguf"});
    CHECK(contains(problemOf(renamed / "b.gguf"), "-00002-of-00003.gguf"));
    const TempDir exchanged;
    writeParts(exchanged, {kParts[0], kParts[2], kParts[1]});
    CHECK(contains(problemOf(exchanged / kParts[0]), "is not part 2 of 3"));
    const TempDir tooFew;
    writeParts(tooFew, kParts, 3);
    CHECK(contains(problemOf(tooFew / kParts[0]), "all tensors"));
}

TEST_CASE("undoing the order of rows is what the converter did, backwards")
{
    // As llama.cpp's converter: of each head, [2, half] becomes [half, 2].
    const gguf::PackedTensor packed{"q", gguf::blockTypeOf(0), {24, 5}, 0, 0};
    const gguf::CheckpointTensor pairs{"q", &packed, gguf::RowOrder::RotaryPairs, 3};
    for (std::int64_t head = 0; head < 3; ++head)
        for (std::int64_t half = 0; half < 2; ++half)
            for (std::int64_t pair = 0; pair < 4; ++pair)
                CHECK(pairs.storedRow(8 * head + 4 * half + pair) == 8 * head + 2 * pair + half);
    // GPT-NeoX: [head, q|k|v, size] became [q|k|v, head, size].
    const gguf::CheckpointTensor qkv{"qkv", &packed, gguf::RowOrder::StackedQkv, 2};
    for (std::int64_t head = 0; head < 2; ++head)
        for (std::int64_t part = 0; part < 3; ++part)
            for (std::int64_t i = 0; i < 4; ++i)
                CHECK(qkv.storedRow((3 * head + part) * 4 + i) == (2 * part + head) * 4 + i);
    const gguf::CheckpointTensor kept{"v", &packed, gguf::RowOrder::Kept, 100};
    CHECK(kept.storedRow(17) == 17);
}

TEST_CASE("the label of a file comes from its key, else from most of its weights")
{
    const TempDir folder;
    const auto labelOf = [&](const GgufBytes& file) {
        return gguf::Container::open({folder.write("m.gguf", file.bytes())}).quantisation();
    };
    CHECK(labelOf(tinyGguf().integer("general.file_type", 15)) == "Q4_K_M");
    CHECK(labelOf(tinyGguf().integer("general.file_type", 500)) == "F32");
    CHECK(labelOf(tinyGguf().erase("general.file_type").tensor("x", {64, 64}, 8, std::string(4352, '\0'))) ==
          "Q8_0");
}
