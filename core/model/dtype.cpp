#include "model/dtype.h"

#include <array>

namespace hs::model {
namespace {

struct Entry {
    DType dtype;
    std::uint64_t bytes;
    std::string_view safetensors;
    std::string_view config;
};

/// In the order of the enum, which `entryOf` relies on.
constexpr std::array kEntries = {
    Entry{DType::F32, 4, "F32", "float32"},    Entry{DType::F16, 2, "F16", "float16"},
    Entry{DType::BF16, 2, "BF16", "bfloat16"}, Entry{DType::F64, 8, "F64", "float64"},
    Entry{DType::I64, 8, "I64", "int64"},      Entry{DType::I32, 4, "I32", "int32"},
    Entry{DType::I16, 2, "I16", "int16"},      Entry{DType::I8, 1, "I8", "int8"},
    Entry{DType::U8, 1, "U8", "uint8"},        Entry{DType::Bool, 1, "BOOL", "bool"},
};

constexpr bool isInEnumOrder()
{
    for (std::size_t i = 0; i < kEntries.size(); ++i)
        if (static_cast<std::size_t>(kEntries[i].dtype) != i)
            return false;
    return true;
}
static_assert(isInEnumOrder());

const Entry& entryOf(DType dtype)
{
    return kEntries[static_cast<std::size_t>(dtype)];
}

std::optional<DType> lookUp(std::string_view Entry::* column, std::string_view name)
{
    for (const Entry& entry : kEntries)
        if (entry.*column == name)
            return entry.dtype;
    return std::nullopt;
}

}  // namespace

std::uint64_t byteSize(DType dtype)
{
    return entryOf(dtype).bytes;
}

std::string_view name(DType dtype)
{
    return entryOf(dtype).safetensors;
}

std::optional<DType> dtypeFromSafetensors(std::string_view name)
{
    return lookUp(&Entry::safetensors, name);
}

std::optional<DType> dtypeFromConfig(std::string_view name)
{
    if (name.starts_with("torch."))
        name.remove_prefix(6);
    return lookUp(&Entry::config, name);
}

}  // namespace hs::model
