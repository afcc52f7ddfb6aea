#include "features/texts/texts_file.h"

#include "base/inflate.h"
#include "base/json_reader.h"
#include "base/mapped_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace hs::features {
namespace {

constexpr int kTextsVersion = 1;
constexpr std::uint64_t kMostTextsBytes = std::uint64_t{512} << 20;
constexpr const char* kMakeAgain = "make it again with headscope features --texts";

/// As many digits as anybody reads, which also keeps the file small.
double fewDigits(double value)
{
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                   std::chars_format::general, /*precision=*/4);
    double read = 0;
    std::from_chars(digits.data(), end.ptr, read);
    return read;
}

Json writtenExample(const FeatureToken& token)  // [activation, text before, token, text after]
{
    return {numberOrNull(fewDigits(token.value)), token.context.substr(0, token.begin), token.text,
            token.context.substr(std::min(token.context.size(), token.begin + token.text.size()))};
}

Json writtenTokens(const std::vector<FeatureToken>& tokens)  // [token, value]
{
    Json list = Json::array();
    for (const FeatureToken& token : tokens)
        list.push_back({token.text, numberOrNull(fewDigits(token.value))});
    return list;
}

FeatureToken keptExampleFrom(const JsonReader& entry)
{
    const std::string before = entry[1].text();
    FeatureToken token{entry[2].text(), entry[0].number(), {}, before.size()};
    token.context = before + token.text + entry[3].text();
    return token;
}

std::vector<FeatureToken> keptTokensFrom(const JsonReader& list)
{
    std::vector<FeatureToken> tokens;
    if (list)
        for (const JsonReader& entry : list.items())
            tokens.push_back({entry[0].text(), entry[1].number(), {}, 0});
    return tokens;
}

Json readTexts(const std::filesystem::path& file)
{
    if (file.extension() != ".gz")
        return readJsonFile(file, kMostTextsBytes);
    const MappedFile packed = MappedFile::open(file);
    return parseJson(inflated(packed.bytes(), kMostTextsBytes, file.string()), file.string());
}

}  // namespace

TextsFile::TextsFile(const std::filesystem::path& file) : TextsFile(readTexts(file), file.string()) {}

TextsFile::TextsFile(Json json, std::string what) : m_what(std::move(what)), m_json(std::move(json))
{
    const JsonReader reader(m_json, m_what, kMakeAgain);
    if (reader["version"].integer(0, std::numeric_limits<int>::max()) > kTextsVersion)
        reader["version"].bad("is newer than this program");
    m_tokens = static_cast<std::int64_t>(reader["tokens"].number(0, 0x1p53));
    if (!reader["features"].json().is_object())
        reader["features"].refuse("an object with a feature each");
}

FeatureTexts TextsFile::textsOf(FeatureId feature) const
{
    FeatureTexts texts;
    texts.feature = feature;
    const JsonReader reader(m_json, m_what, kMakeAgain);
    const std::string name = toString(feature);
    const JsonReader entry = reader["features"][name.c_str()];
    if (!entry)
        return texts;
    if (entry["frequency"])
        texts.frequency = entry["frequency"].number(0, 1);
    if (const JsonReader examples = entry["fires"])
        for (const JsonReader& example : examples.items())
            texts.firesOn.push_back(keptExampleFrom(example));
    texts.promotes = keptTokensFrom(entry["promotes"]);
    texts.suppresses = keptTokensFrom(entry["suppresses"]);
    return texts;
}

std::vector<FeatureId> TextsFile::features() const
{
    std::vector<FeatureId> ids;
    for (const auto& [name, ignored] : m_json["features"].items())
        if (const std::optional<FeatureId> id = parseFeatureId(name); id && toString(*id) == name)
            ids.push_back(*id);
    std::ranges::sort(ids);
    return ids;
}

std::string textsJson(const std::vector<FeatureTexts>& texts, std::int64_t tokens)
{
    Json features = Json::object();
    for (const FeatureTexts& known : texts) {
        Json entry = Json::object();
        if (known.frequency)
            entry["frequency"] = numberOrNull(fewDigits(*known.frequency));
        for (const FeatureToken& token : known.firesOn)
            entry["fires"].push_back(writtenExample(token));
        if (!known.promotes.empty())
            entry["promotes"] = writtenTokens(known.promotes);
        if (!known.suppresses.empty())
            entry["suppresses"] = writtenTokens(known.suppresses);
        features[toString(known.feature)] = std::move(entry);
    }
    const Json tree = {{"version", kTextsVersion}, {"tokens", tokens}, {"features", std::move(features)}};
    return tree.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hs::features
