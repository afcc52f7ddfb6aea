#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hs::gguf {

/// Numbered as in the file.
enum class ValueType { U8, I8, U16, I16, U32, I32, F32, Bool, Text, Array, U64, I64, F64 };

/// The bytes of a scalar; 0 for texts and arrays.
std::uint64_t byteSize(ValueType type);

/// A value whose bytes have been checked: a scalar, a text without its length, or the elements of an array.
struct Value {
    ValueType type = ValueType::U8;
    ValueType element = ValueType::U8;  // of an array
    std::uint64_t count = 1;            // of its elements
    std::string_view bytes;             // of the file
};

/// The keys of a GGUF file and their values, which are views of the file. A key that is absent gives none;
/// one whose value is of another kind, or out of range, throws a Failure that names it.
class Metadata {
public:
    explicit Metadata(std::string file = {}) : m_file(std::move(file)) {}

    /// False if the key is there already.
    bool add(std::string_view key, const Value& value) { return m_values.emplace(key, value).second; }

    const std::string& file() const { return m_file; }
    bool has(std::string_view key) const { return m_values.contains(key); }
    bool isList(std::string_view key) const;

    std::optional<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most) const;
    std::optional<double> number(std::string_view key) const;
    std::optional<bool> flag(std::string_view key) const;
    std::optional<std::string_view> text(std::string_view key) const;

    // Arrays; empty where the key is absent.
    std::vector<std::string_view> texts(std::string_view key) const;
    std::vector<std::int64_t> integers(std::string_view key) const;
    std::vector<float> numbers(std::string_view key) const;

    /// Throws a Failure that says what the key should hold.
    [[noreturn]] void refuse(std::string_view key, const std::string& expected) const;

private:
    const Value* find(std::string_view key) const;
    const Value* findArray(std::string_view key) const;

    std::string m_file;  // for errors
    std::map<std::string_view, Value> m_values;
};

}  // namespace hs::gguf
