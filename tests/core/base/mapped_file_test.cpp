#include "base/mapped_file.h"

#include "base/failure.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <algorithm>
#include <thread>

using namespace hs;
using namespace hs::test;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kSize = 1 << 20;

std::size_t zerosIn(const MappedFile& file)
{
    return static_cast<std::size_t>(std::ranges::count(file.bytes(), std::byte{0}));
}

std::string fileRefusal(const MappedFile& file)
{
    const auto result = guarded([&] {
        file.requireUnchanged();
        return 0;
    });
    return result ? std::string() : result.error().message;
}

}  // namespace

TEST_CASE("a file that nobody touches is unchanged, also after a move")
{
    const TempDir folder;
    MappedFile first = MappedFile::open(folder.write("file", "some text"));
    CHECK(fileRefusal(first).empty());
    const MappedFile moved = std::move(first);
    CHECK(moved.text() == "some text");
    CHECK(fileRefusal(moved).empty());
    CHECK(fileRefusal(MappedFile::open(folder.write("empty", ""))).empty());
}

TEST_CASE("a file that is cut off while it is mapped reads as zeros and says so", "[fault]")
{
    const TempDir folder;
    const fs::path path = folder.write("file", std::string(kSize, 'a'));
    const MappedFile file = MappedFile::open(path);
    fs::resize_file(path, 10'000);
    std::vector<std::jthread> readers;
    for (int reader = 0; reader < 4; ++reader)
        readers.emplace_back([&] { zerosIn(file); });
    readers.clear();
    CHECK(zerosIn(file) > kSize - 10'000 - 65'536);  // except for the page in which it ends
    CHECK(file.bytes()[9'999] == std::byte{'a'});
    CHECK(fileRefusal(file).find("was changed while it was read; wait until") != std::string::npos);
}

TEST_CASE("a file that is written to while it is mapped says so", "[fault]")
{
    const TempDir folder;
    const fs::path path = folder.write("file", std::string(kSize, 'a'));
    const MappedFile file = MappedFile::open(path);
    const auto before = fs::last_write_time(path);
    {
        std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(500'000);
        stream << "other bytes";
    }
    fs::last_write_time(path, before + std::chrono::microseconds(1));  // clocks may be coarse
    CHECK_FALSE(fileRefusal(file).empty());
}

TEST_CASE("a file that another is put in the place of stays what it was", "[fault]")
{
    const TempDir folder;
    const fs::path path = folder.write("file", "the old one");
    const MappedFile file = MappedFile::open(path);
    fs::rename(folder.write("new", "the new one"), path);
    CHECK(file.text() == "the old one");
    CHECK(fileRefusal(file).empty());
    fs::remove(path);
    CHECK(fileRefusal(file).empty());
}
