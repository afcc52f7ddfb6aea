#include "text/regex_syntax.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "text/utf8.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace hs::text {

namespace {

// What `\w` stands for in tokenizer.json, as the inside of a character class; PCRE2's own differs
// from it and between PCRE2's versions. The superscripts belong to it outside of classes only.
constexpr std::string_view kSuperscripts = R"(\x{b2}\x{b3}\x{b9}\x{bc}-\x{be})";
constexpr std::string_view kWords =
    R"(\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{24b6}-\x{24e9}\x{1f130}-\x{1f149}\x{1f150}-\x{1f169}\x{1f170}-\x{1f189})";

std::string wordClass(std::string_view open)
{
    return std::string(open).append(kWords).append(kSuperscripts).append("]");
}

/// One pass over the pattern. Everything is copied unless the two engines differ on it.
class Translator {
public:
    explicit Translator(std::string_view pattern) : m_in(pattern) {}

    std::string run()
    {
        while (!atEnd())
            item();
        return std::move(m_out);
    }

private:
    bool atEnd() const { return m_at >= m_in.size(); }
    bool sees(std::string_view text) const { return m_in.substr(m_at, text.size()) == text; }
    char peek() const { return atEnd() ? '\0' : m_in[m_at]; }
    void copy(std::size_t count)
    {
        m_out.append(m_in.substr(m_at, count));
        m_at += count;
    }

    [[noreturn]] void unsupported(std::string_view construct) const
    {
        fail(ErrorCode::Unsupported,
             "The split pattern of this tokenizer uses '" + shortened(construct) +
                 "', which is not supported; pass token ids with --tokens instead.",
             "pattern: " + std::string(m_in));
    }

    void item()
    {
        switch (peek()) {
        case '(': openGroup(); break;
        case ')': closeGroup(); break;
        case '[':
            m_atom = m_out.size();
            characterClass();
            break;
        case '\\':
            m_atom = m_out.size();
            escape(/*inClass=*/false);
            break;
        case '{':
            if (!interval()) {
                m_atom = m_out.size();
                copy(1);
            }
            break;
        case '*':
        case '+':
        case '?':
        case '|':
        case '^':
        case '$': copy(1); break;
        default: m_atom = m_out.size(); copy(std::min(utf8Length(peek()), m_in.size() - m_at));
        }
    }

    void openGroup()
    {
        m_groups.push_back(m_out.size());
        if (sees("(*"))
            unsupported("(*");
        if (!sees("(?")) {
            copy(1);
            return;
        }
        for (const std::string_view known : {"(?:", "(?=", "(?!", "(?>", "(?<=", "(?<!"})
            if (sees(known)) {
                copy(known.size());
                return;
            }
        options();
    }

    /// `(?i:…)`, and `(?i)` where it governs the whole pattern. Oniguruma's m lets the dot match newlines.
    void options()
    {
        const bool first = m_at == 0;
        const std::size_t end = m_in.find_first_of(":)", m_at);
        const std::string_view flags =
            m_in.substr(m_at + 2, end == std::string_view::npos ? end : end - m_at - 2);
        const bool known = flags.find_first_not_of("im-") == std::string_view::npos;
        if (end == std::string_view::npos || !known || (m_in[end] == ')' && !first))
            unsupported(m_in.substr(m_at, 4));
        m_out += "(?";
        for (const char flag : flags)
            m_out += flag == 'm' ? 's' : flag;
        m_out += m_in[end];
        m_at = end + 1;
        if (m_out.back() == ')')
            m_groups.pop_back();
    }

    void closeGroup()
    {
        if (!m_groups.empty()) {
            m_atom = m_groups.back();
            m_groups.pop_back();
        }
        copy(1);
    }

    /// `{n,m}`. A `+` after it repeats it and is not possessive, nor is a `?` after `{n}` lazy.
    bool interval()
    {
        const std::size_t end = m_in.find('}', m_at);
        if (end == std::string_view::npos)
            return false;
        const std::string_view inside = m_in.substr(m_at + 1, end - m_at - 1);
        const std::size_t comma = inside.find(',');
        const auto isNumber = [](std::string_view s) {
            return std::all_of(s.begin(), s.end(), [](unsigned char c) { return std::isdigit(c); });
        };
        const std::string_view low = inside.substr(0, comma);
        const std::string_view high = comma == std::string_view::npos ? "" : inside.substr(comma + 1);
        if (!isNumber(low) || !isNumber(high) || (low.empty() && high.empty()))
            return false;
        m_out.append("{").append(low.empty() ? "0" : low);
        m_out.append(comma == std::string_view::npos ? "" : ",").append(high).append("}");
        m_at = end + 1;
        if (peek() == '+' || (peek() == '?' && comma == std::string_view::npos)) {
            m_out.insert(m_atom, "(?:");
            m_out += ')';
        }
        return true;
    }

    void characterClass()
    {
        copy(1);
        if (peek() == '^')
            copy(1);
        if (peek() == ']')
            unsupported("[]");
        while (!atEnd() && peek() != ']') {
            if (peek() == '\\')
                escape(/*inClass=*/true);
            else if (peek() == '[')
                posixClass();
            else if (sees("&&"))
                unsupported("&&");
            else
                copy(std::min(utf8Length(peek()), m_in.size() - m_at));
        }
        if (atEnd())
            unsupported("[");
        copy(1);
    }

    void posixClass()
    {
        struct Named {
            std::string_view name, meaning;
        };
        static constexpr Named kNamed[] = {
            {"[:space:]", R"(\s)"}, {"[:digit:]", R"(\d)"}, {"[:punct:]", R"(\p{P}\p{S})"}};
        for (const auto& [name, meaning] : kNamed)
            if (sees(name)) {
                m_out += meaning;
                m_at += name.size();
                return;
            }
        unsupported(m_in.substr(m_at, std::min(m_in.find(']', m_at) - m_at, std::size_t{16})));
    }

    void escape(bool inClass)
    {
        if (m_at + 1 >= m_in.size())
            unsupported("\\");
        const char letter = m_in[m_at + 1];
        if (!std::isalnum(static_cast<unsigned char>(letter))) {
            copy(1);
            copy(std::min(utf8Length(peek()), m_in.size() - m_at));
            return;
        }
        switch (letter) {
        case 'r':
        case 'n':
        case 't':
        case 'f':
        case 'a':
        case 'e':
        case 's':
        case 'S':
        case 'd':
        case 'D': copy(2); return;
        case 'v': replace(2, R"(\x{b})"); return;
        case 'h': replace(2, inClass ? "0-9a-fA-F" : "[0-9a-fA-F]"); return;
        case 'w': replace(2, inClass ? std::string(kWords) : wordClass("[")); return;
        case 'p':
        case 'P': property(); return;
        case 'x':
        case 'u': codePoint(letter); return;
        default: break;
        }
        if (!inClass && outsideClass(letter))
            return;
        unsupported(m_in.substr(m_at, 2));
    }

    bool outsideClass(char letter)
    {
        const std::string word = wordClass("[");
        switch (letter) {
        case 'A':
        case 'z':
        case 'Z': copy(2); return true;
        case 'W': replace(2, wordClass("[^")); return true;
        case 'b':
            replace(2, "(?:(?<=" + word + ")(?!" + word + ")|(?<!" + word + ")(?=" + word + "))");
            return true;
        case 'B':
            replace(2, "(?:(?<=" + word + ")(?=" + word + ")|(?<!" + word + ")(?!" + word + "))");
            return true;
        default: break;
        }
        if (letter < '1' || letter > '9')
            return false;
        copy(2);
        return true;
    }

    void replace(std::size_t count, std::string_view with)
    {
        m_out += with;
        m_at += count;
    }

    /// Categories are the same in both; a longer name is a script, which PCRE2 would read as the
    /// script with its extensions.
    void property()
    {
        const std::size_t end = m_in.find('}', m_at);
        if (m_at + 2 >= m_in.size() || m_in[m_at + 2] != '{' || end == std::string_view::npos)
            unsupported(m_in.substr(m_at, 3));
        std::string_view name = m_in.substr(m_at + 3, end - m_at - 3);
        const bool negated = name.starts_with('^');
        name.remove_prefix(negated ? 1 : 0);
        m_out += m_in.substr(m_at, 3);
        m_out.append(negated ? "^" : "").append(name.size() > 2 ? "sc:" : "").append(name).append("}");
        m_at = end + 1;
    }

    /// `\xHH` (ASCII only: above that, it would be a bare byte), `\x{H…}` and `\uHHHH`.
    void codePoint(char letter)
    {
        const bool braced = letter == 'x' && m_in.substr(m_at + 2, 1) == "{";
        const std::size_t begin = m_at + (braced ? 3 : 2);
        const std::size_t most = braced ? 6 : letter == 'u' ? 4 : 2;
        std::size_t end = begin;
        while (end < m_in.size() && end - begin < most &&
               std::isxdigit(static_cast<unsigned char>(m_in[end])))
            ++end;
        const std::string digits(m_in.substr(begin, end - begin));
        const bool complete = braced ? m_in.substr(end, 1) == "}" : letter == 'x' || digits.size() == 4;
        if (digits.empty() || !complete ||
            (letter == 'x' && !braced && std::stoi(digits, nullptr, 16) > 0x7F))
            unsupported(m_in.substr(m_at, end - m_at));
        m_out += "\\x{" + digits + '}';
        m_at = end + (braced ? 1 : 0);
    }

    std::string_view m_in;
    std::size_t m_at = 0;
    std::string m_out;
    std::size_t m_atom = 0;             // where in m_out the item starts that a quantifier would repeat
    std::vector<std::size_t> m_groups;  // where in m_out the open groups start
};

}  // namespace

std::string toPcre2Syntax(std::string_view pattern)
{
    return Translator(pattern).run();
}

std::string wordCharacterPattern()
{
    return "(?:(?![" + std::string(kSuperscripts) + "])[" + std::string(kWords) + R"(\x{200c}\x{200d}]))";
}

}  // namespace hs::text
