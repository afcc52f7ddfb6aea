#include "train/card_text.h"

#include "base/atomic_file.h"
#include "base/json.h"

#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace hs::train {
namespace {

constexpr const char* kOwnMark = "library_name: headscope\n";

/// A name on one line: control characters become spaces.
std::string oneLine(const std::string& name)
{
    std::string line;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const auto byte = static_cast<unsigned char>(name[at]);
        const bool isLatinControl =
            byte == 0xc2 && at + 1 < name.size() && static_cast<unsigned char>(name[at + 1]) < 0xa0;
        if (isLatinControl)
            ++at;
        line += isLatinControl || byte < 0x20 || byte == 0x7f ? ' ' : name[at];
    }
    return line;
}

}  // namespace

std::string yamlText(const std::string& name)
{
    return Json(oneLine(name)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string markdownText(const std::string& name)
{
    const std::string whole = Json::parse(yamlText(name)).get<std::string>();  // valid UTF-8
    std::string text;
    for (const char letter : whole) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte < 0x80 && std::ispunct(byte) && std::string_view(".,-/").find(letter) == std::string::npos)
            text += '\\';
        text += letter;
    }
    return text;
}

std::string cardNumber(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string cardPercent(double share)
{
    return cardNumber(100 * share) + " %";
}

std::string cardFrontMatter(const std::string& base, const std::string& tag)
{
    return "---\nbase_model: " + yamlText(base) + "\n" + kOwnMark + "tags:\n- headscope\n- " + tag +
           "\n---\n\n";
}

void writeCard(const std::filesystem::path& folder, const std::string& text)
{
    const std::filesystem::path file = folder / "README.md";
    std::ifstream existing(file, std::ios::binary);
    const bool isOthers =
        existing &&
        std::string(std::istreambuf_iterator<char>(existing), {}).find(kOwnMark) == std::string::npos;
    if (!isOthers)
        writeFile(file, text);
}

}  // namespace hs::train
