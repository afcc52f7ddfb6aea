#include "maps/array_file.h"

#include "base/content_hash.h"
#include "base/failure.h"
#include "base/json.h"
#include "base/mapped_file.h"
#include "base/untrusted_text.h"
#include "base/zip_members.h"
#include "maps/npy.h"
#include "maps/unpacked.h"
#include "model/safetensors_header.h"
#include "text/utf8.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace hs::maps {
namespace {

constexpr std::size_t kMostTexts = 1 << 22;
constexpr std::uint64_t kLargestChecked = 8 << 20;  // larger members are mapped, not read

std::string fingerprintOf(const MappedFile& file)
{
    static constexpr std::size_t kHashedEnd = 64 << 10;  // headers and directories are at an end
    const std::span<const std::byte> bytes = file.bytes();
    ContentHash hash;
    hash.add(bytes.size());
    hash.add(bytes.first(std::min(bytes.size(), kHashedEnd)));
    hash.add(bytes.last(std::min(bytes.size(), kHashedEnd)));
    return hash.text();
}

std::int64_t integerAt(const Array& array, std::size_t index)
{
    const std::byte* const from = array.bytes.data() + index * array.width;
    const auto read = [&](auto value) {
        std::memcpy(&value, from, sizeof value);
        return static_cast<std::int64_t>(value);
    };
    return array.type == ElementType::Int64   ? read(std::int64_t{0})
           : array.type == ElementType::Int32 ? read(std::int32_t{0})
                                              : read(std::uint8_t{0});
}

bool isInteger(ElementType type)
{
    return type == ElementType::Int64 || type == ElementType::Int32 || type == ElementType::UInt8;
}

/// One text; trailing zeros are numpy's padding.
std::string textAt(const Array& array, std::size_t index)
{
    if (isInteger(array.type))
        return "#" + std::to_string(integerAt(array, index));
    const std::span<const std::byte> bytes = array.bytes.subspan(index * array.width, array.width);
    std::string text;
    if (array.type == ElementType::Bytes) {
        text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    } else {
        for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
            std::uint32_t code = 0;
            std::memcpy(&code, bytes.data() + at, sizeof code);
            const bool isCharacter = code <= 0x10ffff && (code < 0xd800 || code >= 0xe000);
            text::appendUtf8(text, isCharacter ? static_cast<char32_t>(code) : U'\ufffd');
        }
    }
    text.erase(text.find_last_not_of('\0') + 1);
    return text;
}

Texts textsIn(const Array& array, const std::string& what)
{
    if (isFloat(array.type))
        fail(ErrorCode::BadFile, what + " holds numbers; save texts, as np.array(tokens) of str.");
    std::size_t count = 1;
    for (const std::int64_t extent : array.shape)
        if (__builtin_mul_overflow(count, static_cast<std::size_t>(extent), &count))
            count = kMostTexts + 1;
    if (array.shape.empty() || array.shape.size() > 2 || count > kMostTexts)
        fail(ErrorCode::BadFile, what + " is not a list of texts; save one text for each token.");
    Texts texts{array.shape, {}};
    for (std::size_t index = 0; index < count; ++index)
        texts.items.push_back(textAt(array, index));
    return texts;
}

std::vector<std::int64_t> numbersIn(const Array& array, const std::string& what)
{
    static constexpr std::size_t kMost = 1 << 20;
    if (!isInteger(array.type) || array.elements() > kMost)
        fail(ErrorCode::BadFile,
             what + " is no list of whole numbers; save it as np.array([…]) of integers.");
    std::vector<std::int64_t> numbers;
    for (std::size_t index = 0; index < array.elements(); ++index)
        numbers.push_back(integerAt(array, index));
    return numbers;
}

class NpzFile final : public ArrayFile {
public:
    NpzFile(const std::filesystem::path& file, MappedFile mapped)
        : ArrayFile(file), m_mapped(std::make_shared<MappedFile>(std::move(mapped)))
    {
        for (ZipMember& member : readZipMembers(m_mapped->bytes(), {path(), "NPZ file", "save it again"}))
            if (member.name.ends_with(".npy")) {
                member.name.resize(member.name.size() - 4);
                m_members.push_back(std::move(member));
            }
    }

    std::vector<std::string> names() const override
    {
        std::vector<std::string> names;
        for (const ZipMember& member : m_members)
            names.push_back(member.name);
        return names;
    }
    bool has(std::string_view name) const override { return find(name) != m_members.end(); }
    Array array(std::string_view name) const override
    {
        const auto found = find(name);
        if (found == m_members.end())
            fail(ErrorCode::NotFound, path() + " has no array " + quotedName(name) + "; save it, too.");
        const std::string what = nameIn(name);
        if (found->isDeflated) {
            const OwnedBytes bytes = unpacked(*found, what);
            return readNpy(bytes.bytes, bytes.owner, what);
        }
        if (found->size <= kLargestChecked)
            requireChecksum(*found, found->bytes, what);
        return readNpy(found->bytes, m_mapped, what);
    }
    Texts texts(std::string_view name) const override { return textsIn(array(name), nameIn(name)); }
    std::vector<std::int64_t> numbers(std::string_view name) const override
    {
        return numbersIn(array(name), nameIn(name));
    }
    std::string fingerprint() const override { return fingerprintOf(*m_mapped); }

private:
    std::vector<ZipMember>::const_iterator find(std::string_view name) const
    {
        return std::ranges::find(m_members, name, &ZipMember::name);
    }

    std::shared_ptr<const MappedFile> m_mapped;
    std::vector<ZipMember> m_members;  // bytes lie in the mapped file
};

std::optional<ElementType> elementOf(model::DType dtype)
{
    switch (dtype) {
    case model::DType::F16: return ElementType::Float16;
    case model::DType::BF16: return ElementType::BFloat16;
    case model::DType::F32: return ElementType::Float32;
    case model::DType::F64: return ElementType::Float64;
    case model::DType::U8: return ElementType::UInt8;
    case model::DType::I32: return ElementType::Int32;
    case model::DType::I64: return ElementType::Int64;
    default: return std::nullopt;
    }
}

/// Tensors, and JSON in the texts of the header: the format has no tensors of texts.
class SafetensorsArrays final : public ArrayFile {
public:
    SafetensorsArrays(const std::filesystem::path& file, MappedFile mapped)
        : ArrayFile(file), m_mapped(std::make_shared<MappedFile>(std::move(mapped))),
          m_header(model::readSafetensorsHeader(m_mapped->bytes(), path()))
    {
    }

    std::vector<std::string> names() const override
    {
        std::vector<std::string> names;
        for (const model::TensorInfo& tensor : m_header.tensors)
            names.push_back(tensor.name);
        return names;
    }
    bool has(std::string_view name) const override
    {
        return m_header.metadata.contains(std::string(name)) ||
               std::ranges::find(m_header.tensors, name, &model::TensorInfo::name) != m_header.tensors.end();
    }
    Array array(std::string_view name) const override
    {
        const auto found = std::ranges::find(m_header.tensors, name, &model::TensorInfo::name);
        if (found == m_header.tensors.end())
            fail(ErrorCode::NotFound, path() + " has no tensor " + quotedName(name) + "; save it, too.");
        const std::optional<ElementType> type = elementOf(found->dtype);
        if (!type)
            fail(ErrorCode::Unsupported, nameIn(name) + " is of type " +
                                             std::string(model::name(found->dtype)) +
                                             ", which is not read; save it as float32.");
        return {*type, model::byteSize(found->dtype), found->shape,
                m_mapped->bytes().subspan(found->offset, found->bytes), m_mapped};
    }
    Texts texts(std::string_view name) const override
    {
        const auto found = m_header.metadata.find(std::string(name));
        return found != m_header.metadata.end() ? jsonTexts(found->second, name)
                                                : textsIn(array(name), nameIn(name));
    }
    std::vector<std::int64_t> numbers(std::string_view name) const override
    {
        const auto found = m_header.metadata.find(std::string(name));
        if (found == m_header.metadata.end())
            return numbersIn(array(name), nameIn(name));
        std::vector<std::int64_t> numbers;
        const Json json = parsed(found->second, name);
        for (const Json& number : json) {
            if (!number.is_number_integer())
                refuseJson(name);
            numbers.push_back(number.get<std::int64_t>());
        }
        return numbers;
    }
    std::string fingerprint() const override { return fingerprintOf(*m_mapped); }

private:
    [[noreturn]] void refuseJson(std::string_view name) const
    {
        fail(ErrorCode::BadFile, nameIn(name) +
                                     " is not a list in JSON; write the metadata as "
                                     "{\"" +
                                     std::string(name) + "\": json.dumps(…)}.");
    }
    Json parsed(const std::string& text, std::string_view name) const
    {
        Json json = parseJson(text, nameIn(name));
        if (!json.is_array())
            refuseJson(name);
        return json;
    }
    void addTexts(const Json& list, std::string_view name, Texts& texts) const
    {
        for (const Json& item : list) {
            if (!item.is_string())
                refuseJson(name);
            texts.items.push_back(item.get<std::string>());
        }
    }
    Texts jsonTexts(const std::string& text, std::string_view name) const
    {
        const Json json = parsed(text, name);
        Texts texts;
        const auto rows = static_cast<std::int64_t>(json.size());
        if (json.empty() || !json.front().is_array()) {
            texts.shape = {rows};
            addTexts(json, name, texts);
            return texts;
        }
        const auto columns = static_cast<std::int64_t>(json.front().size());
        texts.shape = {rows, columns};
        for (const Json& row : json) {
            if (!row.is_array() || static_cast<std::int64_t>(row.size()) != columns)
                refuseJson(name);
            addTexts(row, name, texts);
        }
        return texts;
    }

    std::shared_ptr<const MappedFile> m_mapped;
    model::SafetensorsHeader m_header;
};

}  // namespace

std::unique_ptr<ArrayFile> ArrayFile::open(const std::filesystem::path& file)
{
    MappedFile mapped = MappedFile::open(file);
    if (mapped.text().starts_with("\x93NUMPY"))
        fail(ErrorCode::Unsupported,
             file.string() + " is a single array without a name; save it with np.savez(\"maps.npz\", "
                             "attention=…).");
    // An empty zip file begins with its end.
    if (mapped.text().starts_with("PK") || file.extension() == ".npz")
        return std::make_unique<NpzFile>(file, std::move(mapped));
    return std::make_unique<SafetensorsArrays>(file, std::move(mapped));
}

std::string ArrayFile::nameIn(std::string_view name) const
{
    return quotedName(name) + " in " + m_path;
}

}  // namespace hs::maps
