#include "fuzz/targets/tokenizer_laws.h"

#include "base/json.h"
#include "text/tokenizer_parts.h"

#include <array>
#include <filesystem>
#include <memory>

namespace hs::fuzz {
namespace {

struct Style {
    const char* name;
    bool isLossless;  // decode(encode(text)) is the text
};

constexpr std::array kStyles = {
    Style{"gpt2", true},         Style{"llama3", true},        Style{"dolma2", true},
    Style{"split_next", true},   Style{"qwen2", false},        Style{"neox", false},
    Style{"llama2", false},      Style{"added_tokens", false}, Style{"metaspace_first", false},
    Style{"normalizers", false}, Style{"affixes", false},      Style{"word_level_punctuation", false},
};

std::unique_ptr<const text::Tokenizer> load(const Style& style)
{
    const std::filesystem::path folder(HS_SOURCE_DIR "/tests/golden/tokenizers");
    const Json file = readJsonFile(folder / (std::string(style.name) + ".json"));
    return std::make_unique<text::Tokenizer>(text::makeTokenizerParts(file.at("tokenizer")));
}

const text::Tokenizer& tokenizerOf(std::size_t style)
{
    static const auto kTokenizers = [] {
        std::array<std::unique_ptr<const text::Tokenizer>, kStyles.size()> all;
        for (std::size_t i = 0; i < kStyles.size(); ++i)
            all[i] = load(kStyles[i]);
        return all;
    }();
    return *kTokenizers[style];
}

/// Reads pairs of bytes as ids, some of them beyond the vocabulary.
std::vector<std::int64_t> idsOf(std::string_view bytes)
{
    std::vector<std::int64_t> ids;
    for (std::size_t at = 0; at + 1 < bytes.size(); at += 2)
        ids.push_back(static_cast<unsigned char>(bytes[at]) << 2 |
                      static_cast<unsigned char>(bytes[at + 1]) >> 6);
    return ids;
}

/// The first byte chooses the tokenizer; the rest is used as a text, then as ids.
void check(std::string_view input)
{
    if (input.empty())
        return;
    const std::size_t style = static_cast<unsigned char>(input.front()) % kStyles.size();
    const text::Tokenizer& tokenizer = tokenizerOf(style);
    const std::string_view text = input.substr(1);

    const Result<text::Encoding> plain = tokenizer.encode(text, /*addSpecial=*/false);
    require(plain.ok(), "every text can be encoded");
    const Result<std::string> back = tokenizer.decode(plain->ids);
    require(back.ok(), "what was encoded can be decoded");
    require(!kStyles[style].isLossless || *back == text, "decode(encode(text)) is the text");
    require(tokenizer.decode(requireSoundEncoding(tokenizer, text)).ok(), "what was encoded can be decoded");

    const std::vector<std::int64_t> ids = idsOf(text);
    const Result<std::string> decoded = tokenizer.decode(ids);
    bool isWithin = true;
    for (const std::int64_t id : ids) {
        isWithin = isWithin && id < tokenizer.vocabularySize();
        tokenizer.tokenText(id);
    }
    require(decoded.ok() == isWithin, "all ids of the vocabulary can be decoded, and no other");
}

const Target kTarget("encode", check);

}  // namespace
}  // namespace hs::fuzz
