#include "lint/cpp_tokens.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace hs::lint {
namespace {

bool isOfWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Tokenizer {
public:
    explicit Tokenizer(const std::string& text) : m_text(text) {}

    std::vector<CppToken> run()
    {
        while (m_at < m_text.size())
            step();
        return m_tokens;
    }

private:
    bool isNext(const char* text) const { return m_text.compare(m_at, std::string(text).size(), text) == 0; }

    void step()
    {
        const char c = m_text[m_at];
        if (std::isspace(static_cast<unsigned char>(c)) != 0)
            moveTo(m_at + 1);
        else if (isNext("//"))
            moveTo(lineEnd());
        else if (isNext("/*"))
            moveBehind("*/", 2);
        else if (c == '#' && isFirstOfLine())
            moveTo(lineEnd());
        else if (c == '"')
            addString();
        else if (c == '\'')
            addQuoted('\'');
        else if (isOfWord(c))
            addWord();
        else
            add(isNext("::") ? 2 : 1);
    }

    bool isFirstOfLine() const { return m_tokens.empty() || m_tokens.back().line < m_line; }

    /// The end of the line, including lines continued with a backslash.
    std::size_t lineEnd() const
    {
        std::size_t end = m_text.find('\n', m_at);
        while (end != std::string::npos && end > 0 && m_text[end - 1] == '\\')
            end = m_text.find('\n', end + 1);
        return std::min(end, m_text.size());
    }

    void moveTo(std::size_t end)
    {
        end = std::min(end, m_text.size());
        m_line += static_cast<int>(std::count(m_text.begin() + static_cast<std::ptrdiff_t>(m_at),
                                              m_text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        m_at = end;
    }

    void moveBehind(const std::string& sign, std::size_t skipped)
    {
        const std::size_t found = m_text.find(sign, m_at + skipped);
        moveTo(found == std::string::npos ? m_text.size() : found + sign.size());
    }

    void add(std::size_t length)
    {
        m_tokens.push_back({m_text.substr(m_at, length), m_line});
        moveTo(m_at + length);
    }

    void addString()
    {
        static const std::set<std::string> rawPrefixes = {"R", "LR", "uR", "UR", "u8R"};
        const bool isBehindWord = m_at > 0 && isOfWord(m_text[m_at - 1]);
        if (!isBehindWord || !rawPrefixes.contains(m_tokens.back().text))
            return addQuoted('"');
        m_tokens.back().text = "\"\"";
        const std::size_t open = m_text.find('(', m_at);
        moveBehind(")" + m_text.substr(m_at + 1, open - m_at - 1) + "\"", 1);
    }

    void addQuoted(char quote)
    {
        m_tokens.push_back({std::string(2, quote), m_line});
        std::size_t end = m_at + 1;
        while (end < m_text.size() && m_text[end] != quote && m_text[end] != '\n')
            end += m_text[end] == '\\' ? 2 : 1;
        moveTo(end + 1);
    }

    /// A name or a number; in numbers apostrophes may separate digits.
    void addWord()
    {
        const bool isNumber = std::isdigit(static_cast<unsigned char>(m_text[m_at])) != 0;
        std::size_t end = m_at;
        while (end < m_text.size() && (isOfWord(m_text[end]) || (isNumber && m_text[end] == '\'')))
            ++end;
        add(end - m_at);
    }

    const std::string& m_text;
    std::size_t m_at = 0;
    int m_line = 1;
    std::vector<CppToken> m_tokens;
};

}  // namespace

std::vector<CppToken> cppTokens(const std::string& text)
{
    return Tokenizer(text).run();
}

}  // namespace hs::lint
