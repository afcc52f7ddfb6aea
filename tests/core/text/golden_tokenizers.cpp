#include "golden_tokenizers.h"

#include "base/failure.h"
#include "support/temp_dir.h"

#include <algorithm>
#include <cstdio>

namespace hs::test {

std::vector<std::string> goldenStyles()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(goldenFolder()))
        if (entry.is_regular_file() && entry.path().stem() != "texts")
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

Json goldenFile(const std::string& name)
{
    return readJsonFile(goldenFolder() / (name + ".json"));
}

Result<std::shared_ptr<const text::Tokenizer>> loadTokenizer(const Json& json)
{
    const TempDir folder;
    folder.write("tokenizer.json", json.dump());
    return text::Tokenizer::load(folder.path());
}

std::shared_ptr<const text::Tokenizer> goldenTokenizer(const std::string& style)
{
    return orThrow(loadTokenizer(goldenFile(style).at("tokenizer")));
}

std::vector<std::string> goldenTexts()
{
    std::vector<std::string> texts;
    for (const Json& item : goldenFile("texts")) {
        std::string text = item.is_string() ? item.get<std::string>() : "";
        for (int i = 0; item.is_object() && i < item.at("times").get<int>(); ++i)
            text += item.at("unit").get_ref<const std::string&>();
        texts.push_back(std::move(text));
    }
    return texts;
}

bool matchesGolden(const std::vector<std::int64_t>& ids, const Json& expected)
{
    if (expected.is_array())
        return expected.get<std::vector<std::int64_t>>() == ids;
    IdDigest digest;
    digest.add(ids);
    return expected.at("count").get<std::size_t>() == ids.size() && expected.at("digest") == digest.hex();
}

void IdDigest::add(const std::vector<std::int64_t>& ids)
{
    for (const std::int64_t id : ids)
        add(id);
    add(-1);
}

void IdDigest::add(std::int64_t id)
{
    for (int byte = 0; byte < 8; ++byte)
        m_value = (m_value ^ (static_cast<std::uint64_t>(id) >> 8 * byte & 0xFF)) * 0x100000001B3;
}

std::string IdDigest::hex() const
{
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(m_value));
    return text;
}

}  // namespace hs::test
