#include "model/tensor_info.h"

#include <algorithm>
#include <string_view>

namespace hs::model {

std::optional<std::uint64_t> tensorBytes(DType dtype, std::span<const std::int64_t> shape)
{
    // Elements before bytes: an extent of 0 makes any other one harmless.
    std::uint64_t elements = 1;
    for (const std::int64_t extent : shape)
        if (extent < 0 || __builtin_mul_overflow(elements, static_cast<std::uint64_t>(extent), &elements))
            return std::nullopt;
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(elements, byteSize(dtype), &bytes))
        return std::nullopt;
    return bytes;
}

std::optional<std::string> repeatedName(std::span<const TensorInfo> tensors)
{
    // Sorted, not hashed: a file can be made to collide in every hash.
    std::vector<std::string_view> names;
    names.reserve(tensors.size());
    for (const TensorInfo& tensor : tensors)
        names.push_back(tensor.name);
    std::ranges::sort(names);
    const auto twin = std::ranges::adjacent_find(names);
    return twin == names.end() ? std::nullopt : std::optional<std::string>(*twin);
}

}  // namespace hs::model
