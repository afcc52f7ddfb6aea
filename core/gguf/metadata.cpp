#include "gguf/metadata.h"

#include "base/failure.h"
#include "base/untrusted_text.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace hs::gguf {
namespace {

template <class T>
T scalarAt(std::string_view bytes, std::uint64_t index)
{
    T value{};
    std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
    return value;
}

/// None for what is no integer, or one beyond 63 bits.
std::optional<std::int64_t> integerAt(ValueType type, std::string_view bytes, std::uint64_t index = 0)
{
    switch (type) {
    case ValueType::U8: return scalarAt<std::uint8_t>(bytes, index);
    case ValueType::I8: return scalarAt<std::int8_t>(bytes, index);
    case ValueType::U16: return scalarAt<std::uint16_t>(bytes, index);
    case ValueType::I16: return scalarAt<std::int16_t>(bytes, index);
    case ValueType::U32: return scalarAt<std::uint32_t>(bytes, index);
    case ValueType::I32: return scalarAt<std::int32_t>(bytes, index);
    case ValueType::Bool: return scalarAt<std::uint8_t>(bytes, index) != 0;
    case ValueType::I64: return scalarAt<std::int64_t>(bytes, index);
    case ValueType::U64: {
        const auto value = scalarAt<std::uint64_t>(bytes, index);
        return value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                   ? std::nullopt
                   : std::optional(static_cast<std::int64_t>(value));
    }
    case ValueType::F32:
    case ValueType::F64:
    case ValueType::Text:
    case ValueType::Array: break;
    }
    return std::nullopt;
}

}  // namespace

std::uint64_t byteSize(ValueType type)
{
    static constexpr std::array<std::uint64_t, 13> kSizes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return kSizes[static_cast<std::size_t>(type)];
}

void Metadata::refuse(std::string_view key, const std::string& expected) const
{
    fail(ErrorCode::BadFile,
         m_file + " should give " + expected + " as " + quotedName(key) + "; download it again.");
}

const Value* Metadata::find(std::string_view key) const
{
    const auto found = m_values.find(key);
    return found == m_values.end() ? nullptr : &found->second;
}

bool Metadata::isList(std::string_view key) const
{
    const Value* const value = find(key);
    return value && value->type == ValueType::Array;
}

const Value* Metadata::findArray(std::string_view key) const
{
    const Value* const value = find(key);
    if (value && value->type != ValueType::Array)
        refuse(key, "a list");
    return value;
}

std::optional<std::int64_t> Metadata::integer(std::string_view key, std::int64_t least,
                                              std::int64_t most) const
{
    const Value* const value = find(key);
    if (!value)
        return std::nullopt;
    std::optional<std::int64_t> number = integerAt(value->type, value->bytes);
    if (value->type == ValueType::Array && value->count > 0) {
        // One for each layer is fine if all are the same.
        number = integerAt(value->element, value->bytes);
        for (const std::int64_t each : number ? integers(key) : std::vector<std::int64_t>())
            if (each != *number)
                fail(ErrorCode::Unsupported, m_file + " gives " + quotedName(key) +
                                                 " layer by layer, and layers that differ in it are not "
                                                 "supported; use another model.");
    }
    if (!number || *number < least || *number > most)
        refuse(key, "an integer from " + std::to_string(least) + " to " + std::to_string(most));
    return number;
}

std::optional<double> Metadata::number(std::string_view key) const
{
    const Value* const value = find(key);
    if (!value)
        return std::nullopt;
    double number = std::numeric_limits<double>::quiet_NaN();
    if (value->type == ValueType::F32)
        number = scalarAt<float>(value->bytes, 0);
    else if (value->type == ValueType::F64)
        number = scalarAt<double>(value->bytes, 0);
    else if (const auto integer = integerAt(value->type, value->bytes))
        number = static_cast<double>(*integer);
    if (!std::isfinite(number))
        refuse(key, "a number");
    return number;
}

std::optional<bool> Metadata::flag(std::string_view key) const
{
    const Value* const value = find(key);
    if (!value)
        return std::nullopt;
    if (value->type != ValueType::Bool)
        refuse(key, "true or false");
    return *integerAt(value->type, value->bytes) != 0;
}

std::optional<std::string_view> Metadata::text(std::string_view key) const
{
    const Value* const value = find(key);
    if (!value)
        return std::nullopt;
    if (value->type != ValueType::Text)
        refuse(key, "a text");
    return value->bytes;
}

std::vector<std::string_view> Metadata::texts(std::string_view key) const
{
    const Value* const value = findArray(key);
    if (!value)
        return {};
    if (value->element != ValueType::Text)
        refuse(key, "a list of texts");
    std::vector<std::string_view> texts;
    texts.reserve(value->count);
    std::string_view rest = value->bytes;
    for (std::uint64_t i = 0; i < value->count; ++i) {
        const auto length = scalarAt<std::uint64_t>(rest, 0);
        texts.push_back(rest.substr(sizeof length, length));
        rest.remove_prefix(sizeof length + length);
    }
    return texts;
}

std::vector<std::int64_t> Metadata::integers(std::string_view key) const
{
    const Value* const value = findArray(key);
    if (!value)
        return {};
    std::vector<std::int64_t> integers;
    integers.reserve(value->count);
    for (std::uint64_t i = 0; i < value->count; ++i) {
        const auto integer = integerAt(value->element, value->bytes, i);
        if (!integer)
            refuse(key, "a list of integers");
        integers.push_back(*integer);
    }
    return integers;
}

std::vector<float> Metadata::numbers(std::string_view key) const
{
    const Value* const value = findArray(key);
    if (!value)
        return {};
    if (value->element != ValueType::F32)
        refuse(key, "a list of 32-bit numbers");
    std::vector<float> numbers(value->count);
    if (!numbers.empty())
        std::memcpy(numbers.data(), value->bytes.data(), value->bytes.size());
    return numbers;
}

}  // namespace hs::gguf
