#include "support/skip.h"
#include "text/unicode_normalize.h"
#include "text/utf8.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <vector>

// Unicode's own test of normalization, if Debian's package unicode-data is installed.

using namespace hs;

namespace {

/// The tables follow the Hugging Face library, which is built on this version of Unicode (major, minor).
constexpr std::pair kVersion = {9, 0};

/// A file of unicode-data, some of which are compressed.
std::istringstream unicodeFile(const std::string& name)
{
    const std::filesystem::path file = "/usr/share/unicode/" + name;
    if (std::ifstream plain(file); plain)
        return std::istringstream({std::istreambuf_iterator<char>(plain), {}});
    const std::string packed = file.string() + ".bz2";
    if (!std::filesystem::exists(packed))
        test::skipTest("Debian's package unicode-data is not installed");
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("bzcat " + packed).c_str(), "r"), pclose);
    std::string content;
    std::array<char, 1 << 16> block;
    while (const std::size_t count = pipe ? std::fread(block.data(), 1, block.size(), pipe.get()) : 0)
        content.append(block.data(), count);
    if (content.empty())
        test::skipTest("there is no bzcat to unpack " + packed);
    return std::istringstream(content);
}

/// The fields of a line before its comment.
std::vector<std::string> fieldsOf(const std::string& line)
{
    std::vector<std::string> fields;
    std::istringstream before(line.substr(0, line.find('#')));
    for (std::string field; std::getline(before, field, ';');)
        fields.push_back(field);
    return fields;
}

char32_t codeOf(const std::string& hex)
{
    return static_cast<char32_t>(std::stoul(hex, nullptr, 16));
}

/// The code points that the tables' version of Unicode has.
std::vector<bool> knownCodePoints()
{
    std::vector<bool> known(0x110000);
    std::istringstream lines = unicodeFile("DerivedAge.txt");
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> fields = fieldsOf(line);
        if (fields.size() != 2)
            continue;
        std::pair<int, int> age;
        REQUIRE(std::sscanf(fields[1].c_str(), "%d.%d", &age.first, &age.second) == 2);
        const std::size_t dots = fields[0].find("..");
        const char32_t first = codeOf(fields[0]);
        const char32_t last = dots == std::string::npos ? first : codeOf(fields[0].substr(dots + 2));
        for (char32_t code = first; code <= last && age <= kVersion; ++code)
            known[code] = true;
    }
    return known;
}

std::string textOf(const std::u32string& codes)
{
    std::string text;
    for (const char32_t code : codes)
        text::appendUtf8(text, code);
    return text;
}

std::string normalized(const std::string& text, text::NormalForm form)
{
    return std::string(text::normalizeUnicode(text::AlignedText::fromBytes(text), form).text());
}

/// Source, NFC, NFD, NFKC and NFKD of a line of NormalizationTest.txt; empty for other lines.
std::vector<std::u32string> columnsOf(const std::string& line)
{
    std::vector<std::u32string> columns;
    for (const std::string& field : fieldsOf(line)) {
        std::istringstream words(field);
        std::u32string codes;
        for (std::string word; line.front() != '@' && words >> word;)
            codes += codeOf(word);
        if (!codes.empty())
            columns.push_back(codes);
    }
    return columns.size() == 5 ? columns : std::vector<std::u32string>();
}

void checkLine(const std::vector<std::u32string>& columns)
{
    std::vector<std::string> texts;
    for (const std::u32string& codes : columns)
        texts.push_back(textOf(codes));
    for (std::size_t column = 0; column < 5; ++column) {
        const bool isCompatible = column >= 3;
        CHECK(normalized(texts[column], text::NormalForm::Nfc) == texts[isCompatible ? 3 : 1]);
        CHECK(normalized(texts[column], text::NormalForm::Nfd) == texts[isCompatible ? 4 : 2]);
        CHECK(normalized(texts[column], text::NormalForm::Nfkc) == texts[3]);
        CHECK(normalized(texts[column], text::NormalForm::Nfkd) == texts[4]);
    }
}

}  // namespace

TEST_CASE("every line of Unicode's NormalizationTest holds whose characters the tables know")
{
    const std::vector<bool> known = knownCodePoints();
    const auto areKnown = [&](const std::vector<std::u32string>& columns) {
        return std::ranges::all_of(columns, [&](const std::u32string& codes) {
            return std::ranges::all_of(codes, [&](char32_t code) { return known[code]; });
        });
    };
    std::istringstream lines = unicodeFile("NormalizationTest.txt");
    int held = 0;
    bool isCharacter = false;
    std::set<char32_t> characters;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("@Part"))
            isCharacter = line.starts_with("@Part1");
        const std::vector<std::u32string> columns = columnsOf(line);
        if (columns.empty())
            continue;
        if (isCharacter)
            characters.insert(columns[0].front());
        if (!areKnown(columns))
            continue;
        INFO(line);
        checkLine(columns);
        ++held;
    }
    CHECK(held > 18'000);

    // All characters that its first part leaves out are their own normal forms.
    int others = 0;
    for (char32_t code = 0; code < known.size(); ++code) {
        if (!known[code] || (code >= 0xD800 && code <= 0xDFFF) || characters.contains(code))
            continue;
        const std::string text = textOf({code});
        for (const text::NormalForm form :
             {text::NormalForm::Nfc, text::NormalForm::Nfd, text::NormalForm::Nfkc, text::NormalForm::Nfkd})
            if (normalized(text, form) != text)
                FAIL_CHECK("U+" << std::hex << static_cast<unsigned>(code) << " is not its own normal form");
        ++others;
    }
    CHECK(others > 200'000);
}
