#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hs::maps {

/// The types of numbers and texts that files of arrays hold, as far as they are read here.
enum class ElementType { Float16, BFloat16, Float32, Float64, UInt8, Int32, Int64, Utf32, Bytes };

/// An array of numbers where it lies in its file: bytes in memory that are mapped, and what keeps them there.
/// Elements need not be aligned. Cheap to copy.
struct Array {
    ElementType type = ElementType::Float32;
    std::size_t width = 0;            // bytes of one element
    std::vector<std::int64_t> shape;  // the last one changes fastest
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;

    std::size_t elements() const;
    /// Item `index` of the first axis.
    Array at(std::size_t index) const;
};

bool isFloat(ElementType type);

/// Elements from `first` on as they are, and whether all of them are finite numbers. Only of floats.
bool readExactly(const Array& array, std::size_t first, std::span<float> to);

/// Elements from `first` on as floats; what is not a finite number becomes 0. Only of floats.
void readFloats(const Array& array, std::size_t first, std::span<float> to);

}  // namespace hs::maps
