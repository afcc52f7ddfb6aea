#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hs::stats {

/// Takes signs, words and numbers off the front of a filter's text, skipping white space. Bytes that
/// match nothing stay where they are.
class FilterScanner {
public:
    explicit FilterScanner(std::string_view text) : m_text(text) {}

    bool isAtEnd();
    std::size_t at() const { return m_at; }

    bool takeSign(std::string_view sign);
    /// `keyword` is lower case; the text may be in any case.
    bool takeKeyword(std::string_view keyword);
    /// A run of the characters that names and head patterns are made of; may be empty.
    std::string_view takeWord();
    std::optional<double> takeNumber();

    /// "character 5", as people count.
    std::string place(std::size_t at) const;
    std::string place() const { return place(m_at); }

private:
    void skipSpace();

    std::string_view m_text;
    std::size_t m_at = 0;
};

/// For ASCII letters; everything else stays as it is.
char toLower(char c);
char toUpper(char c);
bool isDigit(char c);

}  // namespace hs::stats
