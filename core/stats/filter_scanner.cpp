#include "stats/filter_scanner.h"

#include <algorithm>
#include <charconv>

namespace hs::stats {
namespace {

bool isSpace(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool isWordPart(char c)
{
    return isDigit(c) || (toLower(c) >= 'a' && toLower(c) <= 'z') || c == '_' || c == '-' || c == '*';
}

}  // namespace

bool FilterScanner::isAtEnd()
{
    skipSpace();
    return m_at == m_text.size();
}

bool FilterScanner::takeSign(std::string_view sign)
{
    skipSpace();
    if (!m_text.substr(m_at).starts_with(sign))
        return false;
    m_at += sign.size();
    return true;
}

bool FilterScanner::takeKeyword(std::string_view keyword)
{
    const std::size_t start = m_at;
    if (std::ranges::equal(takeWord(), keyword, {}, toLower))
        return true;
    m_at = start;
    return false;
}

std::string_view FilterScanner::takeWord()
{
    skipSpace();
    const std::size_t start = m_at;
    while (m_at < m_text.size() && isWordPart(m_text[m_at]))
        ++m_at;
    return m_text.substr(start, m_at - start);
}

std::optional<double> FilterScanner::takeNumber()
{
    skipSpace();
    const char* const end = m_text.data() + m_text.size();
    const char* from = m_text.data() + m_at;
    if (from != end && *from == '+')
        ++from;
    const char* const digits = from != end && *from == '-' ? from + 1 : from;
    if (digits == end || (!isDigit(*digits) && *digits != '.'))  // from_chars would take "inf" and "nan"
        return std::nullopt;
    double number = 0;
    const auto [rest, code] = std::from_chars(from, end, number);
    if (code != std::errc())
        return std::nullopt;
    m_at = static_cast<std::size_t>(rest - m_text.data());
    return number;
}

std::string FilterScanner::place(std::size_t at) const
{
    const auto isFirstByte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    return "character " + std::to_string(std::ranges::count_if(m_text.substr(0, at), isFirstByte) + 1);
}

void FilterScanner::skipSpace()
{
    while (m_at < m_text.size() && isSpace(m_text[m_at]))
        ++m_at;
}

char toLower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

char toUpper(char c)
{
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

}  // namespace hs::stats
