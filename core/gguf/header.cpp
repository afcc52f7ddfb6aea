#include "gguf/header.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "base/untrusted_text.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace hs::gguf {
namespace {

static_assert(std::endian::native == std::endian::little, "GGUF files are mapped as they are stored");

// The least that one of each takes in the file.
constexpr std::uint64_t kPairBytes = 13;
constexpr std::uint64_t kTensorBytes = 24;
constexpr std::uint64_t kTextBytes = 8;

// Far above every model.
constexpr std::uint64_t kMostPairs = 1 << 20;
constexpr std::uint64_t kMostTensors = 1 << 20;
constexpr std::uint64_t kMostElements = 16 << 20;
constexpr std::uint64_t kLongestText = 64 << 20;
constexpr std::uint64_t kLongestName = 65535;
constexpr std::uint32_t kMostDims = 4;
constexpr std::int64_t kLargestAlignment = 1 << 20;

class HeaderParser {
public:
    HeaderParser(std::span<const std::byte> content, const std::string& file)
        : m_content(reinterpret_cast<const char*>(content.data()), content.size()), m_file(file),
          m_header{Metadata(file), {}}
    {
    }

    Header parse()
    {
        readVersion();
        const std::uint64_t tensors = number<std::uint64_t>("its counts");
        const std::uint64_t pairs = number<std::uint64_t>("its counts");
        requireRoom(pairs, kPairBytes, kMostPairs, "keys");
        for (std::uint64_t i = 0; i < pairs; ++i)
            readPair();
        requireRoom(tensors, kTensorBytes, kMostTensors, "tensors");
        for (std::uint64_t i = 0; i < tensors; ++i)
            readTensor();
        place();
        return std::move(m_header);
    }

private:
    [[noreturn]] void refuse(const std::string& problem) const
    {
        fail(ErrorCode::BadFile, m_file + problem + "; download it again.");
    }
    [[noreturn]] void refuseKind(const std::string& problem) const
    {
        fail(ErrorCode::Unsupported, m_file + problem);
    }

    std::uint64_t left() const { return m_content.size() - m_position; }

    std::string_view take(std::uint64_t bytes, const char* what)
    {
        if (bytes > left())
            refuse(std::string(" is a GGUF file that ends within ") + what);
        const std::string_view taken = m_content.substr(m_position, bytes);
        m_position += bytes;
        return taken;
    }

    template <class T>
    T number(const char* what)
    {
        T value{};
        std::ranges::copy(take(sizeof value, what), reinterpret_cast<char*>(&value));
        return value;
    }

    std::string_view text(std::uint64_t longest, const char* what)
    {
        const auto length = number<std::uint64_t>(what);
        if (length > longest)
            refuse(std::string(" is a damaged GGUF file: ") + what + " are too long");
        return take(length, what);
    }

    /// Before anything is read or reserved for `count` things that take at least `bytes` each.
    void requireRoom(std::uint64_t count, std::uint64_t bytes, std::uint64_t most, const char* what) const
    {
        if (count > left() / bytes)
            refuse(std::string(" is a GGUF file with less room than its ") + what + " need");
        if (count > most)
            refuseKind(" has " + formatCount(static_cast<std::int64_t>(count)) + " " + what +
                       ", more than any model; use another file.");
    }

    void readVersion()
    {
        if (take(std::min<std::uint64_t>(4, left()), "its first bytes") != "GGUF")
            refuse(" does not begin as a GGUF file");
        const auto version = number<std::uint32_t>("its version");
        if ((version & 0xFFFF) == 0 && version != 0)
            refuseKind(" is a GGUF file for big-endian machines; convert it with gguf-convert-endian.");
        if (version != 2 && version != 3)
            refuseKind(" is a GGUF file of version " + std::to_string(version) +
                       ", and 2 and 3 can be read; use a newer file of that model.");
    }

    ValueType valueType()
    {
        const auto type = number<std::uint32_t>("its keys");
        if (type > static_cast<std::uint32_t>(ValueType::F64))
            refuse(" is a damaged GGUF file: it has a value of the unknown type " + std::to_string(type));
        return static_cast<ValueType>(type);
    }

    void readPair()
    {
        const std::string_view key = text(kLongestName, "its keys");
        if (key.empty())
            refuse(" is a damaged GGUF file: a key is empty");
        Value value;
        value.type = valueType();
        if (value.type == ValueType::Text)
            value.bytes = text(kLongestText, "its texts");
        else if (value.type == ValueType::Array)
            readArray(value, key);
        else
            value.bytes = take(byteSize(value.type), "its values");
        if (!m_header.metadata.add(key, value))
            refuse(" is a damaged GGUF file: it has the key " + quotedName(key) + " twice");
    }

    void readArray(Value& value, std::string_view key)
    {
        value.element = valueType();
        value.count = number<std::uint64_t>("its lists");
        if (value.element == ValueType::Array)
            refuseKind(" has lists of lists as " + quotedName(key) +
                       ", which no model needs; use another file of it.");
        const bool isText = value.element == ValueType::Text;
        requireRoom(value.count, isText ? kTextBytes : byteSize(value.element), kMostElements, "lists");
        const std::uint64_t start = m_position;
        if (isText)
            for (std::uint64_t i = 0; i < value.count; ++i)
                text(kLongestText, "its texts");
        else
            take(value.count * byteSize(value.element), "its lists");
        value.bytes = m_content.substr(start, m_position - start);
    }

    void readTensor()
    {
        PackedTensor tensor;
        tensor.name = text(kLongestName, "its tensors' names");
        const std::string named = " is a damaged GGUF file: the tensor " + quotedName(tensor.name);
        const auto dims = number<std::uint32_t>("its tensors");
        if (dims > kMostDims)
            refuse(named + " has " + std::to_string(dims) + " dimensions");
        std::uint64_t elements = 1;
        for (std::uint32_t dim = 0; dim < dims; ++dim) {
            const auto extent = number<std::uint64_t>("its tensors");
            if (extent == 0 || __builtin_mul_overflow(elements, extent, &elements) ||
                elements > std::numeric_limits<std::int64_t>::max())
                refuse(named + " has an impossible shape");
            tensor.shape.insert(tensor.shape.begin(), static_cast<std::int64_t>(extent));
        }
        const auto type = number<std::uint32_t>("its tensors");
        tensor.type = blockTypeOf(type);
        if (!tensor.type)
            refuseKind(" has weights of the unknown type " + std::to_string(type) +
                       "; use a Q8_0, Q4_K_M or F16 file of that model.");
        const std::uint64_t row = tensor.shape.empty() ? 1 : static_cast<std::uint64_t>(tensor.shape.back());
        if (row % tensor.type->elements != 0 ||
            __builtin_mul_overflow(elements / tensor.type->elements, tensor.type->bytes, &tensor.bytes))
            refuse(named + " has a shape that its type cannot have");
        tensor.offset = number<std::uint64_t>("its tensors");
        m_header.tensors.push_back(std::move(tensor));
    }

    /// Counts offsets from the start of the file instead of that of the data, and checks them.
    void place()
    {
        static constexpr const char* kAlignment = "general.alignment";
        const auto alignment = static_cast<std::uint64_t>(
            m_header.metadata.integer(kAlignment, 8, kLargestAlignment).value_or(32));
        if (!std::has_single_bit(alignment))
            m_header.metadata.refuse(kAlignment, "a power of two");
        const std::uint64_t start = (m_position + alignment - 1) / alignment * alignment;
        for (PackedTensor& tensor : m_header.tensors) {
            std::uint64_t end = 0;
            if (tensor.offset % alignment != 0)
                refuse(" is a damaged GGUF file: the tensor " + quotedName(tensor.name) + " is misplaced");
            if (__builtin_add_overflow(tensor.offset, start, &tensor.offset) ||
                __builtin_add_overflow(tensor.offset, tensor.bytes, &end) || end > m_content.size())
                refuse(" is an incomplete GGUF file: the tensor " + quotedName(tensor.name) +
                       " is not in it");
        }
        requireApart();
        for (const PackedTensor& tensor : m_header.tensors)
            if (!tensor.type->unpack)
                refuseKind(" has weights of the type " + std::string(tensor.type->name) +
                           ", which cannot be read; use a Q8_0, Q4_K_M or F16 file of that model.");
    }

    void requireApart() const
    {
        std::vector<const PackedTensor*> tensors;
        for (const PackedTensor& tensor : m_header.tensors)
            tensors.push_back(&tensor);
        std::ranges::sort(tensors, {}, &PackedTensor::offset);
        for (std::size_t i = 1; i < tensors.size(); ++i)
            if (tensors[i]->offset < tensors[i - 1]->offset + tensors[i - 1]->bytes)
                refuse(" is a damaged GGUF file: the tensors " + quotedName(tensors[i - 1]->name) + " and " +
                       quotedName(tensors[i]->name) + " overlap");
        std::ranges::sort(tensors, {}, &PackedTensor::name);
        const auto twin = std::ranges::adjacent_find(tensors, {}, &PackedTensor::name);
        if (twin != tensors.end())
            refuse(" is a damaged GGUF file: it has the tensor " + quotedName((*twin)->name) + " twice");
    }

    std::string_view m_content;
    const std::string& m_file;
    std::uint64_t m_position = 0;
    Header m_header;
};

}  // namespace

std::int64_t PackedTensor::elements() const
{
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Header readHeader(std::span<const std::byte> content, const std::string& file)
{
    return HeaderParser(content, file).parse();
}

}  // namespace hs::gguf
