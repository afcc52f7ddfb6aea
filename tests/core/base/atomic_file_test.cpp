#include "base/atomic_file.h"

#include "base/failure.h"
#include "base/mapped_file.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

TEST_CASE("a target that is no regular file is written into and stays what it is")
{
    const TempDir folder;
    const auto pipe = folder / "pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    REQUIRE(reader >= 0);
    AtomicFile file = AtomicFile::create(pipe);
    file.writeAt(0, bytesOf("head"));
    file.writeAt(4, bytesOf("tail"));
    CHECK_THROWS_AS(file.writeAt(20, bytesOf("a pipe has no gaps")), Failure);
    file.commit();
    char read[16] = {};
    CHECK(::read(reader, read, sizeof read) == 8);
    CHECK(std::string_view(read) == "headtail");
    close(reader);
    CHECK(std::filesystem::is_fifo(pipe));
    CHECK(entriesIn(folder) == 1);

    // By another name, since a fault here would replace the device itself.
    std::filesystem::create_symlink("/dev/null", folder / "null");
    writeFile(folder / "null", "gone");
    CHECK(std::filesystem::is_character_file(folder / "null"));
}

TEST_CASE("a link stays, and what it leads to is replaced")
{
    const TempDir folder;
    folder.write("real/file", "old");
    std::filesystem::create_symlink("real/file", folder / "link");
    writeFile(folder / "link", "new");
    CHECK(std::filesystem::is_symlink(folder / "link"));
    CHECK(MappedFile::open(folder / "real/file").text() == "new");
    CHECK(entriesIn(folder) == 2);
}

TEST_CASE("a link to a file that is not there yet stays, and the file is made")
{
    const TempDir folder;
    std::filesystem::create_symlink("further", folder / "link");
    std::filesystem::create_symlink("file", folder / "further");
    writeFile(folder / "link", "new");
    CHECK(std::filesystem::is_symlink(folder / "link"));
    CHECK(std::filesystem::is_symlink(folder / "further"));
    CHECK(MappedFile::open(folder / "file").text() == "new");

    std::filesystem::create_symlink("nowhere/file", folder / "broken");
    CHECK_THROWS_AS(writeFile(folder / "broken", "new"), Failure);
    CHECK(std::filesystem::is_symlink(folder / "broken"));
    std::filesystem::create_symlink("round", folder / "round");
    CHECK_THROWS_AS(writeFile(folder / "round", "new"), Failure);
    CHECK(std::filesystem::is_symlink(folder / "round"));
}

TEST_CASE("a replaced file keeps its mode, its owner and its other names")
{
    const TempDir folder;
    const auto path = folder.write("private", "old and longer");
    REQUIRE(chmod(path.c_str(), 0640) == 0);
    const bool mayGiveAway = chown(path.c_str(), 1, 1) == 0;
    std::filesystem::create_hard_link(folder.write("shared", "old and longer"), folder / "other name");
    writeFile(path, "new");
    writeFile(folder / "shared", "new");
    CHECK(MappedFile::open(path).text() == "new");
    CHECK(MappedFile::open(folder / "other name").text() == "new");
    CHECK(entriesIn(folder) == 3);
    struct stat status = {};
    REQUIRE(stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0640);
    if (mayGiveAway)
        CHECK(status.st_uid == 1);
    else
        WARN("skipped: a replaced file keeps another's ownership: only root can make one");
}

TEST_CASE("a temporary file that a killed process left is no obstacle")
{
    const TempDir folder;
    for (int number = 0; number < 200; ++number)
        folder.write("a." + std::to_string(getpid()) + "-" + std::to_string(number) + ".part", "");
    writeFile(folder / "a", "whole");
    CHECK(MappedFile::open(folder / "a").text() == "whole");
}
