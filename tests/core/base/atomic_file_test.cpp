#include "base/atomic_file.h"

#include "base/mapped_file.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <iterator>
#include <string_view>

using namespace hs;
using namespace hs::test;

namespace {

std::span<const std::byte> bytesOf(std::string_view text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

auto entriesIn(const TempDir& folder)
{
    return std::distance(std::filesystem::directory_iterator(folder.path()),
                         std::filesystem::directory_iterator());
}

}  // namespace

TEST_CASE("a file replaces the old one when it is committed, not before")
{
    const TempDir folder;
    const auto path = folder.write("result", "old content");
    AtomicFile file = AtomicFile::create(path);
    file.writeAt(4, bytesOf("tail"));
    file.writeAt(0, bytesOf("head"));
    CHECK(MappedFile::open(path).text() == "old content");
    file.commit();
    CHECK(MappedFile::open(path).text() == "headtail");
    CHECK(entriesIn(folder) == 1);
}

TEST_CASE("a file that is dropped or moved from leaves nothing behind")
{
    const TempDir folder;
    {
        AtomicFile first = AtomicFile::create(folder / "a");
        AtomicFile second = AtomicFile::create(folder / "b");
        CHECK(entriesIn(folder) == 2);
        first = std::move(second);
        const AtomicFile third = std::move(first);
    }
    CHECK(entriesIn(folder) == 0);
}

TEST_CASE("two writers of one file do not disturb each other")
{
    const TempDir folder;
    AtomicFile first = AtomicFile::create(folder / "a");
    AtomicFile second = AtomicFile::create(folder / "a");
    first.writeAt(0, bytesOf("first"));
    second.writeAt(0, bytesOf("second"));
    second.commit();
    first.commit();
    CHECK(MappedFile::open(folder / "a").text() == "first");
}
