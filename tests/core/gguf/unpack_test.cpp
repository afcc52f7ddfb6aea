#include "core/model/safetensors_bytes.h"
#include "gguf/container.h"
#include "support/catch.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <set>

using namespace hs;

namespace {

const std::filesystem::path kGolden = std::filesystem::path(HS_SOURCE_DIR) / "tests" / "golden" / "gguf";

std::vector<float> unpacked(const gguf::BlockType& type, std::span<const std::byte> bytes)
{
    const std::size_t blocks = bytes.size() / type.bytes;
    std::vector<float> values(blocks * type.elements);
    type.unpack(bytes.data(), blocks, values.data());
    return values;
}

std::vector<float> floatsOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

}  // namespace

TEST_CASE("blocks of every type stand for the numbers that the gguf package gives, bit for bit")
{
    const gguf::Container file = gguf::Container::open({kGolden / "blocks.gguf"});
    const std::vector<float> expected = floatsOf(kGolden / "blocks.f32");
    std::vector<const gguf::PackedTensor*> tensors = file.tensors();
    std::ranges::sort(tensors, {}, &gguf::PackedTensor::offset);
    REQUIRE(tensors.size() == 15);
    std::size_t at = 0;
    for (const gguf::PackedTensor* const tensor : tensors) {
        INFO(tensor->name);
        CHECK(tensor->name == tensor->type->name);
        const std::vector<float> values = unpacked(*tensor->type, file.bytes(tensor->name));
        REQUIRE(at + values.size() <= expected.size());
        CHECK(std::memcmp(values.data(), expected.data() + at, values.size() * sizeof(float)) == 0);
        at += values.size();
    }
    CHECK(at == expected.size());
}

TEST_CASE("every half float is read as the number it is")
{
    const gguf::BlockType& type = *gguf::blockTypeOf(1);
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        float value = 0;
        type.unpack(reinterpret_cast<const std::byte*>(&half), 1, &value);
        const int exponent = static_cast<int>(bits >> 10 & 31);
        const double fraction = bits & 1023;
        const double sign = bits >> 15 ? -1 : 1;
        if (exponent == 31 && fraction != 0)
            REQUIRE(std::isnan(value));
        else if (exponent == 31)
            REQUIRE(value == sign * std::numeric_limits<double>::infinity());
        else
            REQUIRE(value == sign * (exponent == 0 ? std::ldexp(fraction, -24)
                                                   : std::ldexp(1024 + fraction, exponent - 25)));
    }
}

TEST_CASE("types have the sizes of the format, and those that cannot be read have no unpacker")
{
    std::set<std::string_view> readable;
    for (std::uint32_t id = 0; id < 64; ++id)
        if (const gguf::BlockType* const type = gguf::blockTypeOf(id)) {
            CHECK(type->id == id);
            if (type->unpack)
                readable.insert(type->name);
        }
    CHECK(readable == std::set<std::string_view>{"F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0",
                                                 "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL", "IQ4_XS"});
    for (const std::uint32_t removed : {4u, 5u, 9u, 15u, 31u, 32u, 33u, 36u, 43u, 0xFFFFFFFFu})
        CHECK(!gguf::blockTypeOf(removed));
    CHECK(gguf::fileTypeName(15) == "Q4_K_M");
    CHECK(gguf::fileTypeName(1024 + 7) == "Q8_0");
    CHECK(gguf::fileTypeName(99).empty());
}
