#include "base/json.h"

#include "base/failure.h"
#include "base/mapped_file.h"
#include "base/text_format.h"

namespace hs {

Json parseJson(std::string_view text, const std::string& what)
{
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

}  // namespace hs
