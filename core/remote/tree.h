#pragma once

#include "base/json_reader.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hs::remote {

/// What a message says: values, lists and objects as in JSON, and arrays as binary values. Texts are bytes that
/// need not be UTF-8. On the wire it is CBOR.
using Tree = nlohmann::json;

/// What is read of a tree from outside.
struct TreeLimits {
    int depth = 32;
    std::size_t nodes = 1'000'000;
};

std::string encodeTree(const Tree& tree);

/// Reads the part of CBOR that `encodeTree` writes: every length is given in advance, there are no tags, and no
/// object has a key twice. Throws Failure.
Tree decodeTree(std::string_view bytes, const TreeLimits& limits = {});

/// A tree that came from the other machine, for reading with sentences: `reader(tree)["slot"].integer(0, 99)`.
JsonReader reader(const Tree& tree, const std::string& what = "The other machine's message");

/// The binary value here, of so many bytes. Throws Failure.
std::span<const std::uint8_t> readBytes(const JsonReader& place, std::size_t expectedBytes);

template <class T>
concept ArrayItem =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::uint8_t> ||
    std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>;

Tree binaryOf(std::span<const std::byte> bytes);

/// Numbers as one binary value, little endian.
template <ArrayItem T>
Tree arrayOf(std::span<const T> items)
{
    return binaryOf(std::as_bytes(items));
}
template <ArrayItem T>
Tree arrayOf(const std::vector<T>& items)
{
    return arrayOf(std::span<const T>(items));
}

/// The numbers of `arrayOf`. Throws Failure if it is anything but an array of so many.
template <ArrayItem T>
std::vector<T> readArray(const JsonReader& place, std::size_t expectedCount)
{
    // Looked at before memory is taken: the count may be hostile, too.
    if (expectedCount > SIZE_MAX / sizeof(T))
        place.bad("has more numbers than memory holds");
    const std::span<const std::uint8_t> bytes = readBytes(place, expectedCount * sizeof(T));
    std::vector<T> items(expectedCount);
    if (!bytes.empty())
        std::memcpy(items.data(), bytes.data(), bytes.size());
    return items;
}

}  // namespace hs::remote
