#include "maps/array.h"

#include "gguf/unpack.h"

#include <cmath>
#include <cstring>

namespace hs::maps {

std::size_t Array::elements() const
{
    return width > 0 ? bytes.size() / width : 0;
}

Array Array::at(std::size_t index) const
{
    Array item = *this;
    item.shape.erase(item.shape.begin());
    const std::size_t size = bytes.size() / static_cast<std::size_t>(shape.front());
    item.bytes = bytes.subspan(index * size, size);
    return item;
}

bool isFloat(ElementType type)
{
    return type == ElementType::Float16 || type == ElementType::BFloat16 || type == ElementType::Float32 ||
           type == ElementType::Float64;
}

bool readExactly(const Array& array, std::size_t first, std::span<float> to)
{
    const std::byte* const from = array.bytes.subspan(first * array.width, to.size() * array.width).data();
    switch (array.type) {
    case ElementType::Float16: gguf::unpackF16(from, to.size(), to.data()); break;
    case ElementType::BFloat16: gguf::unpackBf16(from, to.size(), to.data()); break;
    case ElementType::Float64:
        for (std::size_t index = 0; index < to.size(); ++index) {
            double value = 0;
            std::memcpy(&value, from + index * sizeof value, sizeof value);
            to[index] = static_cast<float>(value);
        }
        break;
    default: gguf::unpackF32(from, to.size(), to.data());
    }
    return gguf::isFinite(to.data(), to.size());
}

void readFloats(const Array& array, std::size_t first, std::span<float> to)
{
    if (!readExactly(array, first, to))
        for (float& value : to)
            value = std::isfinite(value) ? value : 0;
}

}  // namespace hs::maps
