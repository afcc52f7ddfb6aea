#include "figures/files/png_chunks.h"

#include "base/failure.h"

#include <QtEndian>

#include <zlib.h>

#include <array>

namespace hs::figures {
namespace {

constexpr QByteArrayView kSignature("\x89PNG\r\n\x1a\n", 8);
constexpr qsizetype kAround = 12;  // length, name and checksum of a chunk
constexpr qsizetype kLargestChunk = 1 << 30;
constexpr qsizetype kMostInflated = 64 << 20;
constexpr qsizetype kLargestRatio = 1032;  // of a deflate stream, by its format

const Bytef* zlibBytes(QByteArrayView bytes)
{
    return reinterpret_cast<const Bytef*>(bytes.data());
}

QByteArray inflated(QByteArrayView packed)
{
    auto size = static_cast<uLongf>(std::min(kMostInflated, packed.size() * kLargestRatio));
    QByteArray content(static_cast<qsizetype>(size), Qt::Uninitialized);
    const int outcome = uncompress(reinterpret_cast<Bytef*>(content.data()), &size, zlibBytes(packed),
                                   static_cast<uLong>(packed.size()));
    if (outcome == Z_BUF_ERROR)
        fail(ErrorCode::TooLarge, "The file's packed text is too long to be read safely; "
                                  "use the file as HeadScope wrote it.");
    if (outcome != Z_OK)
        fail(ErrorCode::BadFile, "The file's packed text is damaged; use the file as HeadScope wrote it.");
    content.truncate(static_cast<qsizetype>(size));
    return content;
}

void appendNumber(QByteArray& bytes, quint32 number)
{
    std::array<char, 4> four{};
    qToBigEndian(number, four.data());
    bytes.append(four.data(), 4);
}

/// Takes the bytes before the next zero byte, and that byte; null, with nothing left, if there is none.
QByteArrayView takeField(QByteArrayView& rest)
{
    const qsizetype end = rest.indexOf('\0');
    if (end < 0) {
        rest = {};
        return {};
    }
    const QByteArrayView field = rest.first(end);
    rest = rest.sliced(end + 1);
    return field;
}

/// The text of a tEXt, zTXt or iTXt chunk if it has that keyword.
QByteArray textOf(QByteArrayView name, QByteArrayView content, QByteArrayView keyword)
{
    if (takeField(content) != keyword)
        return {};
    if (name == "tEXt")
        return QString::fromLatin1(content).toUtf8();
    if (name == "zTXt" && content.size() > 1)
        return QString::fromLatin1(inflated(content.sliced(1))).toUtf8();
    if (name != "iTXt" || content.size() < 2)
        return {};
    const bool isPacked = content.front() != 0;
    content = content.sliced(2);
    takeField(content);
    takeField(content);
    return isPacked ? inflated(content) : content.toByteArray();
}

}  // namespace

QByteArray pngChunk(const char* name, const QByteArray& content)
{
    QByteArray chunk;
    chunk.reserve(content.size() + kAround);
    appendNumber(chunk, static_cast<quint32>(content.size()));
    chunk.append(name, 4).append(content);
    const QByteArrayView checked = QByteArrayView(chunk).sliced(4);
    appendNumber(chunk, static_cast<quint32>(
                            crc32_z(0, zlibBytes(checked), static_cast<std::size_t>(checked.size()))));
    return chunk;
}

QByteArray pngText(const QByteArray& keyword, const QByteArray& utf8)
{
    // Not compressed, and without language and translated keyword.
    return pngChunk("iTXt", keyword + QByteArray(5, '\0') + utf8);
}

QByteArray pngFile(QSize size, PngColours colours, const QByteArray& chunks, const QByteArray& deflatedLines)
{
    QByteArray header;
    appendNumber(header, static_cast<quint32>(size.width()));
    appendNumber(header, static_cast<quint32>(size.height()));
    header += '\x08';
    header += static_cast<char>(colours);
    header.append(3, '\0');
    QByteArray file = kSignature.toByteArray() + pngChunk("IHDR", header) + chunks;
    for (qsizetype at = 0; at < deflatedLines.size(); at += kLargestChunk)
        file += pngChunk("IDAT", deflatedLines.mid(at, kLargestChunk));
    return file + pngChunk("IEND", {});
}

bool isPng(QByteArrayView file)
{
    return file.startsWith(kSignature);
}

QByteArray pngTextIn(QByteArrayView file, QByteArrayView keyword)
{
    QByteArrayView rest = file.sliced(std::min(file.size(), kSignature.size()));
    while (rest.size() >= kAround) {
        const auto length = static_cast<qsizetype>(qFromBigEndian<quint32>(rest.data()));
        if (length > rest.size() - kAround)
            return {};
        const QByteArray text = textOf(rest.sliced(4, 4), rest.sliced(8, length), keyword);
        if (!text.isNull())
            return text;
        rest = rest.sliced(length + kAround);
    }
    return {};
}

}  // namespace hs::figures
