#include "figures/files/pdf_fonts.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <qpdf/QPDF.hh>

namespace hs::figures {
namespace {

/// "/QYAAAA+Inter-Regular" → "Inter-Regular".
std::string withoutTag(const std::string& name)
{
    constexpr std::size_t kTagEnd = 7;
    return name.substr(name.size() > kTagEnd && name[kTagEnd] == '+' ? kTagEnd + 1 : 1);
}

/// Six capital letters derived from the content.
std::string tagOf(const Buffer& content)
{
    const QByteArrayView bytes(content.getBuffer(), static_cast<qsizetype>(content.getSize()));
    std::string tag;
    for (const char byte : QCryptographicHash::hash(bytes, QCryptographicHash::Md5).first(6))
        tag += static_cast<char>('A' + static_cast<uchar>(byte) % 26);
    return tag;
}

/// Writes the name into both the font and its descriptor.
void nameSubset(QPDFObjectHandle font, QPDFObjectHandle descriptor)
{
    for (const char* const key : {"/FontFile2", "/FontFile3"}) {
        QPDFObjectHandle file = descriptor.getKey(key);
        if (!file.isStream())
            continue;
        const auto name = QPDFObjectHandle::newName('/' + tagOf(*file.getRawStreamData()) + '+' +
                                                    withoutTag(descriptor.getKey("/FontName").getName()));
        font.replaceKey("/BaseFont", name);
        descriptor.replaceKey("/FontName", name);
    }
}

/// Codes are before the brackets of a range, their meanings inside.
void mendSpaces(QPDFObjectHandle characterMap)
{
    const std::shared_ptr<Buffer> content = characterMap.getStreamData();
    QByteArray text(reinterpret_cast<const char*>(content->getBuffer()),
                    static_cast<qsizetype>(content->getSize()));
    for (qsizetype open = text.indexOf('['); open >= 0; open = text.indexOf('[', open + 1)) {
        const qsizetype close = text.indexOf(']', open);
        if (close < 0)
            break;
        QByteArray meanings = text.sliced(open, close - open);
        meanings.replace("<0009>", "<0020>");
        text.replace(open, close - open, meanings);
    }
    const auto asItIs = QPDFObjectHandle::newNull();
    characterMap.replaceStreamData(text.toStdString(), asItIs, asItIs);
}

}  // namespace

void mendFonts(QPDF& pdf)
{
    for (QPDFObjectHandle font : pdf.getAllObjects()) {
        if (!font.isDictionaryOfType("/Font"))
            continue;
        QPDFObjectHandle below = font.getKey("/DescendantFonts");
        QPDFObjectHandle described = below.isArray() ? below.getArrayItem(0) : font;
        QPDFObjectHandle descriptor = described.getKey("/FontDescriptor");
        if (descriptor.isDictionary())
            nameSubset(font, descriptor);
        if (QPDFObjectHandle characterMap = font.getKey("/ToUnicode"); characterMap.isStream())
            mendSpaces(characterMap);
    }
}

}  // namespace hs::figures
