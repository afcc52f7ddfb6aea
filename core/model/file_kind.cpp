#include "model/file_kind.h"

#include "base/mapped_file.h"
#include "model/safetensors_header.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>
#include <string_view>

namespace hs::model {
namespace {

using namespace std::string_view_literals;

/// The pickled magic number that torch.save used to begin files with.
constexpr std::string_view kLegacyTorch = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"sv;

bool looksLikeSafetensors(std::string_view content)
{
    if (content.size() <= kSafetensorsLengthBytes)
        return false;
    std::uint64_t length = 0;
    std::memcpy(&length, content.data(), kSafetensorsLengthBytes);
    return length <= kSafetensorsLongestHeader && content[kSafetensorsLengthBytes] == '{';
}

bool looksLikeTar(std::string_view content)
{
    return content.size() > 262 && content.substr(257, 5) == "ustar";
}

/// A map whose first key is a text; a pickle begins with the same byte range but no text follows.
bool looksLikeMsgpack(std::string_view content)
{
    const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(content[i]); };
    return content.size() > 2 && byteAt(0) > 0x80 && byteAt(0) <= 0x8F &&
           ((byteAt(1) > 0xA0 && byteAt(1) <= 0xBF) || byteAt(1) == 0xD9);
}

/// The format has no magic; its exporters begin with the version and their own name.
bool looksLikeOnnx(std::string_view content)
{
    return content.size() > 4 && content[0] == 0x08 && content[1] > 0 && content[1] < 32 &&
           content[2] == 0x12 && std::isalpha(static_cast<unsigned char>(content[4]));
}

bool looksLikeWebPage(std::string_view content)
{
    std::string start(content.substr(0, 15));
    std::ranges::transform(start, start.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return start.starts_with("<!doctype html") || start.starts_with("<html");
}

}  // namespace

FileKind fileKindOf(const std::filesystem::path& file)
{
    const MappedFile mapped = MappedFile::open(file);
    const std::string_view content = mapped.text();
    if (content.empty())
        return FileKind::Empty;
    if (content.starts_with("GGUF"))
        return FileKind::Gguf;
    if (content.starts_with("lmgg") || content.starts_with("fmgg") || content.starts_with("tjgg"))
        return FileKind::Ggml;
    if (content.starts_with("version https://git-lfs"))
        return FileKind::LfsPointer;
    if (content.starts_with("PK\x03\x04"sv))
        return FileKind::Zip;
    if (content.starts_with(kLegacyTorch))
        return FileKind::LegacyPickle;
    if (content.starts_with("\x89HDF\r\n\x1a\n"sv))
        return FileKind::Hdf5;
    if (looksLikeMsgpack(content))
        return FileKind::Msgpack;
    if (looksLikeTar(content))
        return FileKind::Tar;
    if (looksLikeWebPage(content))
        return FileKind::WebPage;
    if (looksLikeSafetensors(content))
        return FileKind::Safetensors;
    return looksLikeOnnx(content) ? FileKind::Onnx : FileKind::Unknown;
}

}  // namespace hs::model
