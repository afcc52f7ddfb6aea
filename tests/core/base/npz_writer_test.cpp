#include "base/npz_writer.h"
#include "support/bytes_of.h"
#include "support/catch.h"
#include "support/npz.h"
#include "support/temp_dir.h"

using namespace hs;

namespace {

void writeSample(const std::filesystem::path& file)
{
    const std::vector<std::int64_t> ids = {1, -2, 3};
    const std::vector<float> first = {0.5f, 1.5f};
    const std::vector<float> second = {2.5f, 3.5f};
    const std::vector<std::span<const float>> parts = {first, second};
    NpzWriter writer(file);
    writer.add("ids", ids, {3});
    writer.add("maps", parts, {2, 1, 2});
    writer.finish();
}

/// CRC-32, bit by bit.
std::uint32_t checksumOf(std::string_view bytes)
{
    std::uint32_t crc = ~0u;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

}  // namespace

TEST_CASE("arrays come back from an npz file as they went in")
{
    const test::TempDir folder;
    writeSample(folder / "a.npz");
    const auto arrays = test::readNpz(folder / "a.npz");
    CHECK(arrays.at("ids").type == "<i8");
    CHECK(arrays.at("ids").as<std::int64_t>() == std::vector<std::int64_t>{1, -2, 3});
    CHECK(arrays.at("maps").shape == std::vector<std::int64_t>{2, 1, 2});
    CHECK(arrays.at("maps").as<float>() == std::vector<float>{0.5f, 1.5f, 2.5f, 3.5f});
}

TEST_CASE("the same arrays give the same bytes, with the checksums zip defines")
{
    const test::TempDir folder;
    writeSample(folder / "a.npz");
    writeSample(folder / "b.npz");
    const std::string bytes = test::bytesOf(folder / "a.npz");
    CHECK(bytes == test::bytesOf(folder / "b.npz"));

    std::uint32_t stated = 0;
    std::memcpy(&stated, bytes.data() + 14, 4);
    CHECK(checksumOf(std::string_view(bytes).substr(bytes.find("\x93NUMPY"), 128 + 24)) == stated);
}

TEST_CASE("an array of nothing has the checksum of its header")
{
    const test::TempDir folder;
    NpzWriter writer(folder / "a.npz");
    writer.add("ids", std::span<const std::int64_t>(), {0});
    writer.finish();
    const std::string bytes = test::bytesOf(folder / "a.npz");
    std::uint32_t stated = 0;
    std::memcpy(&stated, bytes.data() + 14, 4);
    CHECK(checksumOf(std::string_view(bytes).substr(bytes.find("\x93NUMPY"), 128)) == stated);
}

TEST_CASE("an npz file that was not finished leaves nothing behind")
{
    const test::TempDir folder;
    {
        const std::vector<std::int64_t> ids = {1};
        NpzWriter writer(folder / "a.npz");
        writer.add("ids", ids, {1});
    }
    CHECK(std::filesystem::is_empty(folder.path()));
}
