#include "base/json.h"

#include "base/failure.h"
#include "base/mapped_file.h"
#include "base/text_format.h"

#include <cmath>

namespace hs {
namespace {

constexpr int kDeepest = 256;

/// Whether brackets nest deeper than in any honest file: each level of a tree costs far more memory
/// than the byte that opens it.
bool nestsTooDeep(std::string_view text)
{
    int depth = 0;
    bool isInString = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (isInString && c == '\\')
            ++at;
        else if (c == '"')
            isInString = !isInString;
        else if (!isInString && (c == '[' || c == '{') && ++depth > kDeepest)
            return true;
        else if (!isInString && (c == ']' || c == '}'))
            --depth;
    }
    return false;
}

}  // namespace

Json parseJson(std::string_view text, const std::string& what)
{
    if (nestsTooDeep(text))
        fail(ErrorCode::BadFile, what + " is nested too deeply for a file of its kind; fetch it again.");
    if (text.find('\0') != std::string_view::npos)  // the parser would stop there
        fail(ErrorCode::BadFile, what + " holds a zero byte, which JSON has no place for; fetch it again.");
    Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded())
        fail(ErrorCode::BadFile, what + " is not valid JSON; fetch the file again.");
    return json;
}

Json readJsonFile(const std::filesystem::path& file, std::uint64_t maxBytes)
{
    const MappedFile mapped = MappedFile::open(file);
    if (mapped.size() > maxBytes)
        fail(ErrorCode::BadFile, file.string() + " is " + formatBytes(mapped.size()) +
                                     ", too large for a file of its kind; fetch it again.");
    return parseJson(mapped.text(), file.string());
}

Json numberOrNull(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

}  // namespace hs
