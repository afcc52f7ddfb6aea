#include "core/maps/npz_bytes.h"
#include "core/model/safetensors_bytes.h"
#include "maps/maps_file.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <functional>
#include <random>

using namespace hs;
using namespace hs::test;

namespace {

const std::vector<float> kWeights = {1, 0, 0.5f, 0.5f, 1, 0, 0.25f, 0.75f};
const std::vector<std::int64_t> kWhole = {1, 2, 2, 2};
const char* const kEnding = "'fortran_order': False, 'shape': (1, 2, 2, 2), }";

std::string soundNpy()
{
    return npyBytes("<f4", kWhole, packedBytes(kWeights));
}

ZipFileBytes soundZip(bool isDeflated)
{
    ZipFileBytes zip;
    zip.array("attention", soundNpy(), isDeflated).array("tokens", npyTexts({U"a", U"b"}), isDeflated);
    return zip;
}

std::string soundSafetensors()
{
    return safetensorsBytes(R"({"__metadata__":{"tokens":"[\"a\",\"b\"]"},)"
                            R"("attention":{"dtype":"F32","shape":[1,2,2,2],"data_offsets":[0,32]}})",
                            packedBytes(kWeights));
}

/// What opening a file of these bytes ends with; none if it opens.
std::optional<Error> problemWith(const TempDir& folder, const std::string& name, const std::string& bytes)
{
    const auto file = folder.write(name, bytes);
    const auto opened = guarded([&] {
        const auto block = maps::MapsFile::open(file).block("");
        for (int layer = 0; layer < block->facts().heads.layers; ++layer)
            block->layer(layer);
        return block;
    });
    return opened ? std::nullopt : std::optional(opened.error());
}

bool isSentence(const Error& error)
{
    return error.code != ErrorCode::Internal && error.message.ends_with('.') &&
           error.message.find("; ") != std::string::npos && error.message.find('\n') == std::string::npos &&
           error.message.size() < 800;
}

struct BrokenFile {
    std::string what;
    std::string bytes;
};

/// Headers of the array that lie.
std::vector<BrokenFile> lyingHeaders()
{
    const std::string data = packedBytes(kWeights);
    std::vector<BrokenFile> files;
    const auto add = [&](const std::string& what, const std::string& npy) {
        files.push_back({what, ZipFileBytes().array("attention", npy).bytes()});
    };
    for (const char* const shape :
         {"(1, 2, 2, 3)", "(1, 2, 2)", "(1, 2, 2, 1)", "()", "(8)", "(1, 2, 2, -2)", "(1, 2, 2, 2",
          "(9223372036854775807, 2, 2, 2)", "(4294967296, 4294967296, 4294967296, 4294967296)",
          "(18446744073709551616, 1, 1, 1)", "(0, 9223372036854775807, 9223372036854775807, 9)",
          "(1, 2, 2, 2.0)", "(1, 2, 2, 2e0)", "[1, 2, 2, 2]", "(1 2 2 2)", "(True, 2, 2, 2)", "1", "None",
          "'1,2,2,2'"})
        add(std::string("shape ") + shape,
            npyBytes("", {}, data,
                     "{'descr': '<f4', 'fortran_order': False, 'shape': " + std::string(shape) + ", }"));
    for (const char* const type :
         {"<f8", "<f2", "<f16", "<c8", "|b1", "<i4", "<U8", "<U99999999999999999999", "<U-1", "|S0", "|O",
          "|O8", ">f4", "=f4", "", "f4", "<f4 ", "|V4", "<M8[ns]"})
        add(std::string("type ") + type,
            npyBytes("", {}, data, "{'descr': '" + std::string(type) + "', " + kEnding));
    for (const char* const dict :
         {"{", "}", "{}", "not a dict", "{'descr': '<f4'}", "{'descr': '<f4', 'descr': '<f4', }",
          "{'fortran_order': False, 'shape': (1, 2, 2, 2), }",
          "{'descr': '<f4', 'fortran_order': 0, 'shape': (1, 2, 2, 2), }",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 2, 2), 'x': 1, }",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 2, 2), } x",
          "{'descr': __import__('os').system('true'), 'fortran_order': False, 'shape': (1, 2, 2, 2), }",
          "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2, 2, 2), }"})
        add(dict, npyBytes("", {}, data, dict));
    add("an endless tuple", npyBytes(
                                "", {}, data, "{'descr': '<f4', 'fortran_order': False, 'shape': (" + [] {
                                    std::string ones;
                                    for (int axis = 0; axis < 5000; ++axis)
                                        ones += "1,";
                                    return ones;
                                }() + ")}"));
    for (std::size_t at = 0; at < 10; ++at)
        for (const char value : {'\0', '\xff', '\x04'}) {
            std::string npy = soundNpy();
            if (npy[at] == value)
                continue;
            npy[at] = value;
            add("byte " + std::to_string(at) + " of the header", npy);
        }
    return files;
}

/// Directories of the zip file that lie.
std::vector<BrokenFile> lyingDirectories()
{
    std::vector<BrokenFile> files;
    using Member = ZipFileBytes::Member;
    const auto add = [&](const std::string& what, bool isDeflated, bool isLarge,
                         const std::function<void(Member&)>& spoil) {
        ZipFileBytes zip = soundZip(isDeflated);
        zip.last().isLarge = isLarge;
        ZipFileBytes::Member member{.name = "attention_0.npy", .data = soundNpy(), .isDeflated = isDeflated};
        ZipFileBytes one;
        member.name = "attention.npy";
        member.isLarge = isLarge;
        spoil(member);
        files.push_back({what, one.add(member).bytes()});
    };
    const std::uint64_t size = soundNpy().size();
    for (const bool isLarge : {false, true})
        for (const bool isDeflated : {false, true}) {
            for (const std::uint64_t wrong :
                 {std::uint64_t{0}, size - 1, size + 1, std::uint64_t{1} << 31, std::uint64_t{0xfffffffe},
                  std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
                if (wrong > 0xffffffff && !isLarge)
                    continue;
                const std::string words = std::to_string(wrong) + (isLarge ? ", large" : "");
                add("a size of " + words, isDeflated, isLarge, [&](Member& member) { member.size = wrong; });
                add("packed " + words, isDeflated, isLarge, [&](Member& member) { member.packed = wrong; });
                add("both " + words, isDeflated, isLarge, [&](Member& member) {
                    member.size = wrong;
                    member.packed = wrong;
                });
                if (wrong > 0)
                    add("at " + words, isDeflated, isLarge, [&](Member& member) { member.offset = wrong; });
            }
            add("another checksum", isDeflated, isLarge, [&](Member& member) { member.checksum = 1; });
            add("encrypted", isDeflated, isLarge, [&](Member& member) { member.flags = 1; });
            for (const std::uint16_t method : {1, 9, 12, 14, 93, 99, 65535})
                add("packed by method " + std::to_string(method), isDeflated, isLarge,
                    [&](Member& member) { member.method = method; });
        }
    add("stored, said to be deflated", false, false, [](Member& member) { member.method = 8; });
    add("deflated, said to be stored", true, false, [](Member& member) { member.method = 0; });

    ZipFileBytes overlap = soundZip(false);
    overlap.add({.name = "attention_9.npy", .data = soundNpy(), .offset = 0});
    files.push_back({"two names for the same bytes", overlap.bytes()});
    ZipFileBytes quoted;  // the local header of one member inside another
    quoted.add({.name = "outer.npy", .data = ZipFileBytes().array("attention", soundNpy()).bytes()});
    quoted.add({.name = "attention.npy", .data = soundNpy(), .offset = 39});
    files.push_back({"a member inside another", quoted.bytes()});
    ZipFileBytes twice = soundZip(false);
    files.push_back({"a name twice", twice.array("attention", soundNpy()).bytes()});
    for (const std::uint16_t count : {3, 255, 65535}) {
        ZipFileBytes more = soundZip(false);
        more.count = count;
        files.push_back({"a count of " + std::to_string(count), more.bytes()});
    }
    for (const std::uint32_t place : {0u, 1u, 0x7fffffffu, 0xfffffffeu}) {
        ZipFileBytes moved = soundZip(false);
        moved.directory = place;
        files.push_back({"a directory at " + std::to_string(place), moved.bytes()});
    }
    // A megabyte of zeros in a thousand bytes, said to be smaller and larger.
    const std::string zeros = npyBytes("<f4", {1, 1, 512, 512}, std::string(512 * 512 * 4, '\0'));
    for (const std::uint64_t said : {std::uint64_t{100}, std::uint64_t{zeros.size() - 1}, zeros.size() + 1,
                                     std::uint64_t{3000000}, std::uint64_t{0xfffffff0}}) {
        ZipFileBytes bomb;
        bomb.array("attention", zeros, true).last().size = said;
        files.push_back({"a bomb that says " + std::to_string(said), bomb.bytes()});
    }
    // 64-bit ends that point anywhere.
    for (const std::uint64_t place :
         {std::uint64_t{0}, std::uint64_t{1} << 40, ~std::uint64_t{0}, ~std::uint64_t{55}}) {
        const std::string whole = soundZip(false).bytes();
        const std::string locator = ZipFileBytes::number<std::uint32_t>(0x07064b50) +
                                    ZipFileBytes::number<std::uint32_t>(0) + ZipFileBytes::number(place) +
                                    ZipFileBytes::number<std::uint32_t>(1);
        files.push_back({"a 64-bit end at " + std::to_string(place),
                         whole.substr(0, whole.size() - 22) + locator + whole.substr(whole.size() - 22)});
    }
    return files;
}

std::vector<BrokenFile> lyingTensors()
{
    std::vector<BrokenFile> files;
    const auto add = [&](const std::string& entry, const std::string& metadata = {}) {
        files.push_back({entry + metadata, safetensorsBytes("{" + metadata + "\"attention\":{" + entry + "}}",
                                                            packedBytes(kWeights))});
    };
    for (const char* const entry : {
             R"("dtype":"F32","shape":[1,2,2,2],"data_offsets":[0,31])",
             R"("dtype":"F32","shape":[1,2,2,2],"data_offsets":[0,33])",
             R"("dtype":"F32","shape":[1,2,2,2],"data_offsets":[4,32])",
             R"("dtype":"F32","shape":[1,2,2,2],"data_offsets":[32,0])",
             R"("dtype":"F32","shape":[1,2,2,2],"data_offsets":[0,18446744073709551615])",
             R"("dtype":"F32","shape":[1,2,2,2],"data_offsets":[-1,32])",
             R"("dtype":"F64","shape":[1,2,2,2],"data_offsets":[0,32])",
             R"("dtype":"F8_E4M3","shape":[1,2,4,4],"data_offsets":[0,32])",
             R"("dtype":"I32","shape":[1,2,2,2],"data_offsets":[0,32])",
             R"("dtype":"I8","shape":[1,2,4,4],"data_offsets":[0,32])",
             R"("dtype":"F32","shape":[2,2,2],"data_offsets":[0,32])",
             R"("dtype":"F32","shape":[1,1,1,1,1,8],"data_offsets":[0,32])",
             R"("dtype":"F32","shape":[4294967296,4294967296,1,1],"data_offsets":[0,32])",
             R"("dtype":"F32","shape":[1,2,2,-2],"data_offsets":[0,32])",
             R"("dtype":"F32","shape":[],"data_offsets":[0,32])",
             R"("dtype":"F32","data_offsets":[0,32])",
             R"("shape":[1,2,2,2],"data_offsets":[0,32])",
             R"("dtype":"F32","shape":[1,2,2,2])",
         })
        add(entry);
    for (const char* const metadata : {
             R"("__metadata__":{"tokens":"[\"a\"]"},)",
             R"("__metadata__":{"tokens":"[\"a\",\"b\",\"c\"]"},)",
             R"("__metadata__":{"tokens":"a"},)",
             R"("__metadata__":{"tokens":"[[[\"a\",\"b\"]]]"},)",
             R"("__metadata__":{"tokens":"{\"a\":1}"},)",
             R"("__metadata__":{"tokens_k":"[]"},)",
             R"("__metadata__":{"names":"[\"x\",\"y\",\"z\"]"},)",
             R"("__metadata__":{"names":"7"},)",
             R"("__metadata__":{"patches":"[3,3]"},)",
             R"("__metadata__":{"patches":"[1]"},)",
             R"("__metadata__":{"patches":"[1.5,2]"},)",
             R"("__metadata__":{"patches":"[-1,-2]"},)",
             R"("__metadata__":{"patches":"[9223372036854775807,9223372036854775807]"},)",
             R"("__metadata__":{"patches":"[1,2]","image":"[1]"},)",
         })
        add(R"("dtype":"F32","shape":[1,2,2,2],"data_offsets":[0,32])", metadata);
    return files;
}

}  // namespace

TEST_CASE("files of maps that are wrong in one place are refused in a sentence")
{
    const TempDir folder;
    REQUIRE_FALSE(problemWith(folder, "m.npz", soundZip(false).bytes()));
    REQUIRE_FALSE(problemWith(folder, "m.npz", soundZip(true).bytes()));
    REQUIRE_FALSE(problemWith(folder, "m.safetensors", soundSafetensors()));
    std::size_t count = 0;
    const auto check = [&](const std::vector<BrokenFile>& files, const std::string& name) {
        for (const BrokenFile& broken : files) {
            ++count;
            INFO(broken.what);
            const auto error = problemWith(folder, name, broken.bytes);
            REQUIRE(error);
            INFO(error->message << " " << error->detail);
            CHECK(isSentence(*error));
        }
    };
    check(lyingHeaders(), "m.npz");
    check(lyingDirectories(), "m.npz");
    check(lyingTensors(), "m.safetensors");
    CHECK(count >= 200);
}

TEST_CASE("files of maps that end early, anywhere, are refused in a sentence")
{
    const TempDir folder;
    const std::string zip = soundZip(true).bytes();
    const std::string tensors = soundSafetensors();
    std::size_t count = 0;
    for (const auto& [name, whole] : {std::pair("m.npz", zip), std::pair("m.safetensors", tensors)})
        for (std::size_t length = 0; length < whole.size(); length += 2, ++count) {
            INFO(name << ", " << length << " of " << whole.size() << " bytes");
            const auto error = problemWith(folder, name, whole.substr(0, length));
            REQUIRE(error);
            INFO(error->message);
            CHECK(isSentence(*error));
        }
    CHECK(count >= 200);
}

TEST_CASE("flipped bits and odd numbers in files of maps do no harm")
{
    const TempDir folder;
    std::mt19937 random(7);
    std::size_t refused = 0;
    for (const auto& [name, whole] :
         {std::pair("m.npz", soundZip(false).bytes()), std::pair("m.npz", soundZip(true).bytes()),
          std::pair("m.safetensors", soundSafetensors())}) {
        for (std::size_t at = 0; at < whole.size(); ++at) {
            std::string spoiled = whole;
            spoiled[at] = static_cast<char>(spoiled[at] ^ 1 << random() % 8);
            if (const auto error = problemWith(folder, name, spoiled)) {
                ++refused;
                INFO(name << ", byte " << at << ": " << error->message << error->detail);
                CHECK(isSentence(*error));
            }
        }
        for (std::size_t at = 0; at + 8 < whole.size(); at += 5)
            for (const std::uint64_t value : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
                std::string spoiled = whole;
                spoiled.replace(at, 8, ZipFileBytes::number(value));
                if (const auto error = problemWith(folder, name, spoiled)) {
                    ++refused;
                    INFO(name << ", number at " << at << ": " << error->message << error->detail);
                    CHECK(isSentence(*error));
                }
            }
    }
    CHECK(refused >= 700);
}
