#include "model/safetensors_header.h"

#include "base/failure.h"
#include "base/strict_sax.h"
#include "base/text_format.h"
#include "base/untrusted_text.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace hs::model {
namespace {

static_assert(std::endian::native == std::endian::little, "weights are mapped as they are stored");

constexpr std::size_t kHighestRank = 64;  // no library allows more; bounds what a file can ask for

/// Reads the JSON of the header into tensors whose offsets count from the data area. What is wrong with
/// the file is in `problem`; `unsupported` is set if the file is sound but of a type that cannot be run.
class HeaderReader final : public StrictSax {
public:
    SafetensorsHeader header;
    bool unsupported = false;

private:
    enum class Field { DType, Shape, Offsets };

    bool onNull() override
    {
        return (depth() == 1 && m_isMetadata) || refuse("holds a null where none belongs");
    }

    bool onObject() override { return depth() <= 1 || refuse("holds an object where none belongs"); }

    bool onKey(std::string& key) override
    {
        return depth() == 1 ? startEntry(key) : m_isMetadata ? startText(key) : startField(key);
    }

    bool startEntry(std::string& key)
    {
        m_name = key;
        m_isMetadata = key == "__metadata__";
        if (m_isMetadata)
            return !std::exchange(m_hasMetadata, true) || refuse("holds __metadata__ twice");
        m_dtype.reset();
        m_shape.reset();
        m_offsets.reset();
        return true;
    }

    bool startText(std::string& key)
    {
        m_text = &header.metadata[key];
        return true;
    }

    bool startField(std::string_view key)
    {
        const auto once = [&](Field field, bool isThere) {
            m_field = field;
            return !isThere || refuse("says " + quotedName(key) + " of " + quotedName(m_name) + " twice");
        };
        if (key == "dtype")
            return once(Field::DType, m_dtype.has_value());
        if (key == "shape")
            return once(Field::Shape, m_shape.has_value());
        if (key == "data_offsets")
            return once(Field::Offsets, m_offsets.has_value());
        skipValue();  // later versions of the format may add fields that readers can ignore
        return true;
    }

    bool onString(std::string& value) override
    {
        if (depth() == 2 && m_isMetadata) {
            *m_text = std::move(value);
            return true;
        }
        if (depth() != 2 || m_field != Field::DType)
            return refuse("holds a text where none belongs");
        m_dtype = dtypeFromSafetensors(value);
        unsupported = !m_dtype;
        return m_dtype || refuse("holds tensor " + quotedName(m_name) + " as " + quotedName(value));
    }

    bool onArray() override
    {
        if (depth() != 2 || m_isMetadata || (m_field != Field::Shape && m_field != Field::Offsets))
            return refuse("holds a list where none belongs");
        (m_field == Field::Shape ? m_shape : m_offsets).emplace();
        return true;
    }

    bool onNumber(std::uint64_t value) override
    {
        if (depth() != 3)
            return refuse("holds a number where none belongs");
        auto& list = m_field == Field::Shape ? *m_shape : *m_offsets;
        if (list.size() == (m_field == Field::Shape ? kHighestRank : 2))
            return refuse("gives " + quotedName(m_name) + " too many numbers");
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return refuse("gives " + quotedName(m_name) + " a number that is too large");
        list.push_back(static_cast<std::int64_t>(value));
        return true;
    }

    bool onObjectEnd() override
    {
        if (depth() != 1 || m_isMetadata)
            return true;
        if (!m_dtype || !m_shape || !m_offsets || m_offsets->size() != 2)
            return refuse("does not say type, shape and place of " + quotedName(m_name));
        const auto begin = static_cast<std::uint64_t>(m_offsets->front());
        const auto end = static_cast<std::uint64_t>(m_offsets->back());
        if (begin > end)
            return refuse("lets " + quotedName(m_name) + " end before it begins");
        header.tensors.push_back({std::move(m_name), *m_dtype, std::move(*m_shape), begin, end - begin});
        return true;
    }

    std::string m_name;
    std::string* m_text = nullptr;
    std::optional<DType> m_dtype;
    std::optional<std::vector<std::int64_t>> m_shape;
    std::optional<std::vector<std::int64_t>> m_offsets;
    Field m_field = Field::DType;
    bool m_isMetadata = false;
    bool m_hasMetadata = false;
};

[[noreturn]] void refuse(const std::string& file, const std::string& problem)
{
    fail(ErrorCode::BadFile, file + " is not a sound safetensors file: " + problem + "; download it again.");
}

/// Puts the tensors in the order of their bytes and requires each to begin where the last one ended.
void checkLayout(std::vector<TensorInfo>& tensors, std::uint64_t dataBytes, const std::string& file)
{
    std::ranges::sort(tensors, {},
                      [](const TensorInfo& tensor) { return std::tuple(tensor.offset, tensor.bytes); });
    std::uint64_t end = 0;
    for (const TensorInfo& tensor : tensors) {
        if (tensor.offset != end)
            refuse(file, "its header leaves a hole or an overlap before " + quotedName(tensor.name));
        end = tensor.offset + tensor.bytes;
        if (tensorBytes(tensor.dtype, tensor.shape) != tensor.bytes)
            refuse(file, "its header gives " + quotedName(tensor.name) + " " + formatBytes(tensor.bytes) +
                             ", which does not fit shape " + formatShape(tensor.shape) + " in " +
                             std::string(name(tensor.dtype)));
    }
    if (end != dataBytes)
        refuse(file, "its header speaks of " + formatBytes(end) + " of weights, and there are " +
                         formatBytes(dataBytes));
}

}  // namespace

SafetensorsHeader readSafetensorsHeader(std::span<const std::byte> content, const std::string& file)
{
    if (content.size() < kSafetensorsLengthBytes)
        refuse(file, "it has only " + std::to_string(content.size()) + " bytes");
    std::uint64_t length = 0;
    std::memcpy(&length, content.data(), kSafetensorsLengthBytes);
    const std::uint64_t rest = content.size() - kSafetensorsLengthBytes;
    if (length > kSafetensorsLongestHeader || length > rest)
        refuse(file, "its header is said to be " + formatBytes(length) + " long, and " + formatBytes(rest) +
                         " are there");

    const std::string_view text(reinterpret_cast<const char*>(content.data()) + kSafetensorsLengthBytes,
                                length);
    if (!text.starts_with('{'))
        refuse(file, "it does not begin with a header");
    HeaderReader reader;
    if (!reader.read(text)) {
        if (reader.unsupported)
            fail(ErrorCode::Unsupported, file + " " + reader.problem() +
                                             ", which cannot be run; use the model's float32, float16 or "
                                             "bfloat16 version.");
        refuse(file, "its header " + reader.problem());
    }
    SafetensorsHeader header = std::move(reader.header);
    if (const auto twin = repeatedName(header.tensors))
        refuse(file, "its header holds " + quotedName(*twin) + " twice");
    checkLayout(header.tensors, rest - length, file);
    for (TensorInfo& tensor : header.tensors)
        tensor.offset += kSafetensorsLengthBytes + length;
    return header;
}

}  // namespace hs::model
