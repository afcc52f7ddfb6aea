#include "features/coders/yaml.h"

#include "base/failure.h"
#include "base/untrusted_text.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace hs::features {
namespace {

constexpr std::size_t kLargestYaml = 1 << 20;
constexpr int kDeepestYaml = 16;

struct YamlLine {
    std::size_t number = 0;  // from 1
    std::size_t indent = 0;
    std::string_view content;  // without indentation, comment and trailing space
};

class YamlReader {
public:
    YamlReader(std::string_view text, const std::string& what) : m_what(what)
    {
        if (text.size() > kLargestYaml)
            fail(ErrorCode::BadFile, m_what + " is too large for settings; download it again.");
        std::size_t number = 0;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            addLine(text.substr(0, end), ++number);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    Json read()
    {
        if (m_lines.empty())
            return Json::object();
        Json root = block(m_lines.front().indent, 0);
        if (m_at != m_lines.size())
            refuse("is indented like nothing above it");
        return root;
    }

private:
    [[noreturn]] void refuse(const std::string& why) const
    {
        const std::size_t number = m_lines[std::min(m_at, m_lines.size() - 1)].number;
        fail(ErrorCode::BadFile, m_what + ": line " + std::to_string(number) + " " + why +
                                     "; write plain keys and values, or download the file again.");
    }

    void addLine(std::string_view text, std::size_t number)
    {
        if (text.ends_with('\r'))
            text.remove_suffix(1);
        const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
        text = trimmed(withoutComment(text.substr(indent)));
        if (text.empty() || (indent == 0 && (text == "---" || text == "...")))
            return;
        m_lines.push_back({number, indent, text});
    }

    /// A comment begins with # at the start or behind a space, outside of quotes.
    static std::string_view withoutComment(std::string_view text)
    {
        char quote = 0;
        for (std::size_t at = 0; at < text.size(); ++at) {
            const char letter = text[at];
            const bool followsSpace = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t';
            if (quote == '"' && letter == '\\')
                ++at;
            else if (quote)
                quote = letter == quote ? 0 : quote;
            else if (letter == '#' && followsSpace)
                return text.substr(0, at);
            else if ((letter == '"' || letter == '\'') &&
                     (followsSpace || text[at - 1] == '[' || text[at - 1] == '{' || text[at - 1] == ','))
                quote = letter;
        }
        return text;
    }

    static std::string_view trimmed(std::string_view text)
    {
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
        return text.substr(0, text.find_last_not_of(" \t") + 1);
    }

    bool isAt(std::size_t indent) const { return m_at < m_lines.size() && m_lines[m_at].indent == indent; }
    std::string_view here() const { return m_lines[m_at].content; }
    static bool isItem(std::string_view content) { return content == "-" || content.starts_with("- "); }

    Json block(std::size_t indent, int depth)
    {
        if (depth > kDeepestYaml)
            refuse("lies too deep");
        return isItem(here()) ? sequence(indent, depth) : mapping(indent, depth);
    }

    Json sequence(std::size_t indent, int depth)
    {
        Json list = Json::array();
        while (isAt(indent) && isItem(here())) {
            YamlLine& line = m_lines[m_at];
            const std::string_view rest = trimmed(line.content.substr(1));
            if (rest.empty() || isItem(rest) || keyLength(rest)) {
                list.push_back(nested(line, rest, indent, depth));
            } else {
                list.push_back(scalar(rest));
                ++m_at;
            }
        }
        return list;
    }

    /// What an item of a list holds if that is more than one value: it goes on where its first word stands.
    Json nested(YamlLine& line, std::string_view rest, std::size_t indent, int depth)
    {
        if (rest.empty()) {
            ++m_at;
            return m_at < m_lines.size() && m_lines[m_at].indent > indent
                       ? block(m_lines[m_at].indent, depth + 1)
                       : Json();
        }
        line.indent += static_cast<std::size_t>(rest.data() - line.content.data());
        line.content = rest;
        return block(line.indent, depth + 1);
    }

    Json mapping(std::size_t indent, int depth)
    {
        Json map = Json::object();
        while (isAt(indent) && !isItem(here())) {
            const std::optional<std::size_t> length = keyLength(here());
            if (!length)
                refuse("is neither a key with a value nor an item of a list");
            const Json key = scalar(trimmed(here().substr(0, *length)));
            const std::string name = key.is_string() ? key.get<std::string>() : key.dump();
            if (map.contains(name))
                refuse("says " + quotedName(name) + " twice");
            const std::string_view rest = trimmed(here().substr(*length + 1));
            Json value;
            if (!rest.empty()) {
                value = scalar(rest);
                ++m_at;
            } else {
                ++m_at;
                const bool goesOn = m_at < m_lines.size() &&
                                    (m_lines[m_at].indent > indent || (isAt(indent) && isItem(here())));
                if (goesOn)
                    value = block(m_lines[m_at].indent, depth + 1);
            }
            map[name] = std::move(value);
        }
        return map;
    }

    /// The letters before the colon of a key: one that ends the line or comes before a space.
    static std::optional<std::size_t> keyLength(std::string_view text)
    {
        if (text.starts_with('[') || text.starts_with('{'))
            return {};
        std::size_t from = 0;
        if (text.starts_with('"') || text.starts_with('\'')) {
            const std::size_t end = text.find(text.front(), 1);
            if (end == std::string_view::npos)
                return {};
            from = end + 1;
        }
        for (std::size_t at = text.find(':', from); at != std::string_view::npos; at = text.find(':', at + 1))
            if (at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\t')
                return at;
        return {};
    }

    Json scalar(std::string_view text)
    {
        std::string_view rest = text;
        Json value = flowValue(rest, false, 0);
        if (!trimmed(rest).empty())
            refuse("goes on behind " + quotedName(text.substr(0, text.size() - rest.size())));
        return value;
    }

    /// Takes one value off the front; in brackets it ends at a comma or a closing bracket.
    Json flowValue(std::string_view& rest, bool isInBrackets, int depth)
    {
        if (depth > kDeepestYaml)
            refuse("lies too deep");
        rest = trimmed(rest);
        if (rest.empty())
            return {};
        switch (rest.front()) {
        case '[': return flowList(rest, depth);
        case '{': return flowMap(rest, depth);
        case '"': return doubleQuoted(rest);
        case '\'': return singleQuoted(rest);
        case '&':
        case '*': refuse("has an anchor or an alias, which are not read");
        case '!': refuse("has a tag, which is not read");
        case '|':
        case '>': refuse("begins a text of several lines, which is not read");
        case '@':
        case '`':
        case '%': refuse("begins with a reserved letter");
        default: break;
        }
        const std::size_t end = isInBrackets ? std::min(rest.find_first_of(",]}"), rest.size()) : rest.size();
        const std::string_view word = trimmed(rest.substr(0, end));
        rest.remove_prefix(end);
        return plain(word);
    }

    bool takes(std::string_view& rest, char letter)
    {
        rest = trimmed(rest);
        const bool isThere = rest.starts_with(letter);
        if (isThere)
            rest.remove_prefix(1);
        return isThere;
    }

    void endItem(std::string_view& rest, char closing)
    {
        if (!takes(rest, ',') && !trimmed(rest).starts_with(closing))
            refuse("has a bracket that is not closed on it");
    }

    Json flowList(std::string_view& rest, int depth)
    {
        Json list = Json::array();
        takes(rest, '[');
        while (!takes(rest, ']')) {
            list.push_back(flowValue(rest, true, depth + 1));
            endItem(rest, ']');
        }
        return list;
    }

    Json flowMap(std::string_view& rest, int depth)
    {
        Json map = Json::object();
        takes(rest, '{');
        while (!takes(rest, '}')) {
            const std::optional<std::size_t> length = keyLength(rest);
            if (!length)
                refuse("has a map without keys");
            const Json key = scalar(trimmed(rest.substr(0, *length)));
            rest.remove_prefix(*length + 1);
            if (!key.is_string() || map.contains(key.get_ref<const std::string&>()))
                refuse("has a map with a key that is no text or there twice");
            map[key.get<std::string>()] = flowValue(rest, true, depth + 1);
            endItem(rest, '}');
        }
        return map;
    }

    Json doubleQuoted(std::string_view& rest)
    {
        std::size_t end = 1;
        while (end < rest.size() && rest[end] != '"')
            end += rest[end] == '\\' ? 2 : 1;
        if (end >= rest.size())
            refuse("has a quotation mark that is not closed on it");
        const Json text = Json::parse(rest.substr(0, end + 1), nullptr, false);
        if (!text.is_string())
            refuse("has a text with an escape that is not read");
        rest.remove_prefix(end + 1);
        return text;
    }

    Json singleQuoted(std::string_view& rest)
    {
        std::string text;
        rest.remove_prefix(1);
        while (true) {
            const std::size_t end = rest.find('\'');
            if (end == std::string_view::npos)
                refuse("has a quotation mark that is not closed on it");
            text += rest.substr(0, end);
            rest.remove_prefix(end + 1);
            if (!rest.starts_with('\''))
                return text;
            text += '\'';
            rest.remove_prefix(1);
        }
    }

    static Json plain(std::string_view word)
    {
        if (word == "null" || word == "Null" || word == "~")
            return {};
        if (word == "true" || word == "True" || word == "false" || word == "False")
            return word.ends_with("rue");
        const char* const begin = word.data();
        const char* const end = begin + word.size();
        std::int64_t whole = 0;
        if (const auto [at, code] = std::from_chars(begin, end, whole); code == std::errc() && at == end)
            return whole;
        double number = 0;
        if (const auto [at, code] = std::from_chars(begin, end, number);
            code == std::errc() && at == end && std::isfinite(number))
            return number;
        return std::string(word);
    }

    const std::string& m_what;
    std::vector<YamlLine> m_lines;
    std::size_t m_at = 0;
};

}  // namespace

Json parseYaml(std::string_view text, const std::string& what)
{
    return YamlReader(text, what).read();
}

}  // namespace hs::features
