#include "figures/pdf_cursor.h"

#include "base/failure.h"

#include <QByteArray>

#include <algorithm>

namespace hs {
namespace {

bool isSpace(char letter)
{
    return letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t' || letter == '\f' ||
           letter == '\0';
}

bool isRegular(char letter)
{
    return !isSpace(letter) && !QByteArrayView("()<>[]{}/%").contains(letter);
}

}  // namespace

void failAsDamagedPdf(const char* detail)
{
    fail(ErrorCode::BadFile,
         "The PDF file is damaged or was rewritten by another program; use the file as HeadScope wrote it.",
         detail);
}

PdfCursor::PdfCursor(QByteArrayView text, qsizetype at) : m_text(text), m_at(at)
{
    if (at < 0 || at > text.size())
        failAsDamagedPdf("an offset leads out of the file");
}

bool PdfCursor::skipSpace()
{
    while (m_at < m_text.size()) {
        if (m_text[m_at] == '%')
            while (m_at < m_text.size() && m_text[m_at] != '\n' && m_text[m_at] != '\r')
                ++m_at;
        else if (isSpace(m_text[m_at]))
            ++m_at;
        else
            return true;
    }
    return false;
}

bool PdfCursor::take(QByteArrayView word)
{
    skipSpace();
    const QByteArrayView rest = m_text.sliced(m_at);
    if (!rest.startsWith(word))
        return false;
    const bool isCut = isRegular(word.back()) && rest.size() > word.size() && isRegular(rest[word.size()]);
    if (isCut)
        return false;
    m_at += word.size();
    return true;
}

std::optional<int> PdfCursor::takeNumber()
{
    skipSpace();
    qsizetype end = m_at;
    while (end < m_text.size() && isRegular(m_text[end]))
        ++end;
    bool isNumber = false;
    const int number = m_text.sliced(m_at, end - m_at).toByteArray().toInt(&isNumber);
    if (!isNumber || number < 0)
        return std::nullopt;
    m_at = end;
    return number;
}

std::optional<int> PdfCursor::takeReference()
{
    const qsizetype start = m_at;
    const std::optional<int> number = takeNumber();
    if (number && takeNumber() && take("R"))
        return number;
    m_at = start;
    return std::nullopt;
}

QByteArrayView PdfCursor::takePart()
{
    if (!skipSpace())
        failAsDamagedPdf("a value is cut off");
    const qsizetype start = m_at;
    const char first = m_text[m_at];
    if (take("<<") || take(">>") || take("[") || take("]") || takeReference())
        return m_text.sliced(start, m_at - start);
    if (first == '(') {
        skipString();
    } else if (first == '<') {
        const qsizetype end = m_text.indexOf('>', m_at);
        if (end < 0)
            failAsDamagedPdf("a string is cut off");
        m_at = end + 1;
    } else {
        if (first == '/')
            ++m_at;
        while (m_at < m_text.size() && isRegular(m_text[m_at]))
            ++m_at;
        if (m_at == start)
            failAsDamagedPdf("a value starts with a letter that none starts with");
    }
    return m_text.sliced(start, m_at - start);
}

void PdfCursor::skipString()
{
    int depth = 0;
    for (; m_at < m_text.size(); ++m_at) {
        const char letter = m_text[m_at];
        if (letter == '\\') {
            ++m_at;
        } else if (letter == '(') {
            ++depth;
        } else if (letter == ')' && --depth == 0) {
            ++m_at;
            return;
        }
    }
    failAsDamagedPdf("a string is cut off");
}

QByteArrayView PdfCursor::takeValue()
{
    skipSpace();
    const qsizetype start = m_at;
    int depth = 0;
    do {
        const QByteArrayView part = takePart();
        if (part == "<<" || part == "[")
            ++depth;
        else if (part == ">>" || part == "]")
            --depth;
    } while (depth > 0);
    if (depth < 0)
        failAsDamagedPdf("a bracket is closed that was not opened");
    return m_text.sliced(start, m_at - start);
}

QByteArrayView PdfCursor::takeBytes(qsizetype count)
{
    if (count < 0 || count > m_text.size() - m_at)
        failAsDamagedPdf("a stream is cut off");
    const QByteArrayView bytes = m_text.sliced(m_at, count);
    m_at += count;
    return bytes;
}

}  // namespace hs
