#include "base/npz_writer.h"
#include "support/catch.h"
#include "support/npz.h"
#include "support/temp_dir.h"

#include <fstream>
#include <iterator>

using namespace hs;

namespace {

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

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
    const std::string bytes = contentOf(folder / "a.npz");
    CHECK(bytes == contentOf(folder / "b.npz"));

    // CRC-32 of the first member, bit by bit, against the eight-bytes-a-step one in its header.
    std::uint32_t stated = 0;
    std::memcpy(&stated, bytes.data() + 14, 4);
    const std::size_t start = bytes.find("\x93NUMPY");
    std::uint32_t crc = ~0u;
    for (std::size_t at = start; at < start + 128 + 24; ++at) {
        crc ^= static_cast<unsigned char>(bytes[at]);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    CHECK(~crc == stated);
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
