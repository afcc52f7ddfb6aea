#pragma once

#include "base/enum_words.h"
#include "base/json.h"
#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hs::text {

/// Whose words a token is in a chat: the template's, or a message's.
enum class TokenRole { Text, Begin, Frame, System, User, Assistant };  // Text: of a prompt that is no chat

constexpr auto enumWords(TokenRole)
{
    return std::to_array<EnumWord<TokenRole>>({{TokenRole::Text, "text"},
                                               {TokenRole::Begin, "begin"},
                                               {TokenRole::Frame, "frame"},
                                               {TokenRole::System, "system"},
                                               {TokenRole::User, "user"},
                                               {TokenRole::Assistant, "assistant"}});
}

/// A token of a text: `text` is what it stands for alone, in bytes that may be part of a character;
/// begin and end are bytes of the input, equal for an inserted token.
struct Token {
    std::int64_t id = 0;
    std::string text;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    TokenRole role = TokenRole::Text;
    int message = -1;  // of a chat, with what the template puts around it; -1: none

    friend bool operator==(const Token&, const Token&) = default;
};

struct Encoding {
    std::vector<std::int64_t> ids;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> offsets;  // [token] begin, end

    friend bool operator==(const Encoding&, const Encoding&) = default;
};

struct DescribedTokenizer;
struct TokenizerParts;

/// Text to token ids and back, as the tokenizer's own files say. Immutable: may be shared between
/// threads and called from several at once.
class Tokenizer {
public:
    /// A folder with tokenizer.json, or vocab.json and merges.txt; or one of these files.
    static Result<std::shared_ptr<const Tokenizer>> load(const std::filesystem::path& folderOrFile);

    /// What a GGUF file describes.
    static Result<std::shared_ptr<const Tokenizer>> make(const DescribedTokenizer& described);

    explicit Tokenizer(TokenizerParts parts);
    ~Tokenizer();

    /// Any bytes, valid UTF-8 or not. `addSpecial`: with the tokens that the files put around a text.
    Result<Encoding> encode(std::string_view text, bool addSpecial = true) const;

    /// The same, with the text of each token.
    Result<std::vector<Token>> tokens(std::string_view text, bool addSpecial = true) const;

    Result<std::string> decode(std::span<const std::int64_t> ids, bool skipSpecial = false) const;

    /// What one token stands for inside a text (" girl"); empty for an id that is not in use.
    std::string tokenText(std::int64_t id) const;

    /// One more than the largest id.
    std::int64_t vocabularySize() const;

    /// The token that starts a text, whether or not `encode` puts it in.
    std::optional<std::int64_t> bosId() const;

    /// The id of a token written as in the vocabulary ("Ġgirl").
    std::optional<std::int64_t> idOf(std::string_view token) const;

    /// The program that makes texts of chats, as the model's files have it: read for its marks and never run. Empty where
    /// there is none.
    const std::string& chatTemplate() const;

private:
    std::unique_ptr<const TokenizerParts> m_parts;
};

}  // namespace hs::text
