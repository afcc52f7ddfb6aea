#include "maps/npy.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "base/untrusted_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

namespace hs::maps {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kMagic = "\x93NUMPY"sv;
constexpr std::size_t kLongestHeader = 1 << 16;  // numpy itself refuses more than 10,000
constexpr std::size_t kMostAxes = 32;
constexpr std::size_t kWidestText = 1 << 16;

struct NpyHeader {
    std::string type;
    bool isFortran = false;
    std::vector<std::int64_t> shape;
};

/// The header's text: a Python dict with three keys, whose values are a text, True or False, and a tuple of
/// numbers.
class HeaderText {
public:
    HeaderText(std::string_view text, const std::string& what) : m_rest(text), m_what(what) {}

    NpyHeader read()
    {
        NpyHeader header;
        bool hasType = false, hasOrder = false, hasShape = false;
        take('{');
        while (!takeIf('}')) {
            const std::string key = text();
            take(':');
            if (key == "descr" && !std::exchange(hasType, true))
                header.type = type();
            else if (key == "fortran_order" && !std::exchange(hasOrder, true))
                header.isFortran = flag();
            else if (key == "shape" && !std::exchange(hasShape, true))
                header.shape = shape();
            else
                refuse();
            if (!takeIf(',') && !isAt('}'))
                refuse();
        }
        skipSpace();
        if (!m_rest.empty() || !hasType || !hasOrder || !hasShape)
            refuse();
        return header;
    }

private:
    [[noreturn]] void refuse() const
    {
        fail(ErrorCode::BadFile, m_what + " does not begin with a header as numpy writes it; save it again.");
    }

    void skipSpace() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(" \n\t"), m_rest.size())); }
    bool isAt(char letter)
    {
        skipSpace();
        return m_rest.starts_with(letter);
    }
    bool takeIf(char letter)
    {
        const bool isThere = isAt(letter);
        if (isThere)
            m_rest.remove_prefix(1);
        return isThere;
    }
    void take(char letter)
    {
        if (!takeIf(letter))
            refuse();
    }
    std::string text()
    {
        const char quote = isAt('"') ? '"' : '\'';
        take(quote);
        const std::size_t end = m_rest.find(quote);
        if (end == std::string_view::npos)
            refuse();
        std::string found(m_rest.substr(0, end));
        m_rest.remove_prefix(end + 1);
        return found;
    }
    std::string type()
    {
        if (isAt('['))
            fail(ErrorCode::Unsupported,
                 m_what +
                     " is an array of records, which is not attention; save each field as its own array.");
        return text();
    }
    bool flag()
    {
        skipSpace();
        for (const auto& [word, value] : {std::pair("True"sv, true), std::pair("False"sv, false)})
            if (m_rest.starts_with(word)) {
                m_rest.remove_prefix(word.size());
                return value;
            }
        refuse();
    }
    std::vector<std::int64_t> shape()
    {
        std::vector<std::int64_t> extents;
        take('(');
        while (!takeIf(')')) {
            skipSpace();
            std::int64_t extent = 0;
            const auto [end, code] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), extent);
            if (code != std::errc() || extent < 0 || extents.size() == kMostAxes)
                refuse();
            m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
            extents.push_back(extent);
            if (!takeIf(',') && !isAt(')'))
                refuse();
        }
        return extents;
    }

    std::string_view m_rest;
    const std::string& m_what;
};

struct NpyType {
    std::string_view word;
    ElementType type;
    std::size_t width;
};

constexpr std::array kNpyTypes = {
    NpyType{"<f2", ElementType::Float16, 2}, NpyType{"<f4", ElementType::Float32, 4},
    NpyType{"<f8", ElementType::Float64, 8}, NpyType{"|u1", ElementType::UInt8, 1},
    NpyType{"<i4", ElementType::Int32, 4},   NpyType{"<i8", ElementType::Int64, 8},
};

/// The number of letters behind "<U" or "|S".
std::optional<std::size_t> lettersOf(std::string_view digits)
{
    std::size_t letters = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), letters);
    return code == std::errc() && end == digits.data() + digits.size() && letters <= kWidestText
               ? std::optional(letters)
               : std::nullopt;
}

void setType(Array& array, const std::string& type, const std::string& what)
{
    for (const NpyType& known : kNpyTypes)
        if (type == known.word) {
            array.type = known.type;
            array.width = known.width;
            return;
        }
    if (type.starts_with("|O"))
        fail(ErrorCode::Unsupported,
             what + " holds Python objects, which are not read since they can run code; save texts with "
                    "np.array(tokens) of str, and layers of different sizes each under its own name.");
    for (const auto& [start, element, width] :
         {std::tuple("<U"sv, ElementType::Utf32, 4u), std::tuple("|S"sv, ElementType::Bytes, 1u)})
        if (type.starts_with(start))
            if (const auto letters = lettersOf(std::string_view(type).substr(start.size()))) {
                array.type = element;
                array.width = *letters * width;
                return;
            }
    if (type.starts_with('>'))
        fail(ErrorCode::Unsupported, what + " was written for big-endian machines; save it with "
                                            ".astype(np.float32).");
    fail(ErrorCode::Unsupported, what + " is of numpy's type " + quotedName(type) +
                                     ", which is not read; save numbers with .astype(np.float32) and texts "
                                     "as np.array of str.");
}

}  // namespace

Array readNpy(std::span<const std::byte> content, std::shared_ptr<const void> owner, const std::string& what)
{
    const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
    const auto refuse = [&](const std::string& why) {
        fail(ErrorCode::BadFile, what + " is not a whole numpy array: " + why + "; save it again.");
    };
    if (!text.starts_with(kMagic) || text.size() < 12)
        refuse("it does not begin as one");
    const auto version = static_cast<unsigned char>(text[6]);
    std::size_t length = 0;
    std::memcpy(&length, text.data() + 8, version == 1 ? 2 : 4);
    const std::size_t start = version == 1 ? 10 : 12;
    if (version < 1 || version > 3 || text[7] != 0)
        refuse("it is of an unknown version");
    if (length > kLongestHeader || length > text.size() - start)
        refuse("its header is said to be " + formatBytes(length) + " long");
    const NpyHeader header = HeaderText(text.substr(start, length), what).read();

    Array array;
    array.shape = header.shape;
    array.owner = std::move(owner);
    setType(array, header.type, what);
    std::size_t size = array.width;
    for (const std::int64_t extent : array.shape)
        if (__builtin_mul_overflow(size, static_cast<std::size_t>(extent), &size))
            refuse("its shape " + formatShape(array.shape) + " is impossible");
    const std::size_t rest = text.size() - start - length;
    if (size != rest)
        refuse("its shape " + formatShape(array.shape) + " takes " + formatBytes(size) + ", and there are " +
               formatBytes(rest));
    if (header.isFortran && array.shape.size() > 1)
        fail(ErrorCode::Unsupported, what + " lies column by column; save it with np.ascontiguousarray(…).");
    array.bytes = content.subspan(start + length);
    return array;
}

}  // namespace hs::maps
