#include "figures/pdf_fonts.h"

#include <QCryptographicHash>

namespace hs {
namespace {

/// "/QYAAAA+Inter-Regular" → "/Inter-Regular".
QByteArray withoutTag(const QByteArray& name)
{
    constexpr qsizetype kTagEnd = 7;
    return name.size() > kTagEnd && name[kTagEnd] == '+' ? '/' + name.sliced(kTagEnd + 1) : name;
}

/// Six capital letters that stand for the content.
QByteArray tagOf(const QByteArray& content)
{
    const QByteArray digest = QCryptographicHash::hash(content, QCryptographicHash::Md5);
    QByteArray tag;
    for (const char byte : digest.first(6))
        tag += static_cast<char>('A' + static_cast<uchar>(byte) % 26);
    return tag;
}

QByteArray subsetName(const PdfObjects& objects, const PdfObject& descriptor)
{
    for (const char* const key : {"/FontFile2", "/FontFile3"}) {
        const QByteArray file = descriptor.entry(key);
        if (file.isEmpty())
            continue;
        const QByteArray name = withoutTag(descriptor.entry("/FontName"));
        return '/' + tagOf(objects.resolved(file).stream.value_or(QByteArray())) + '+' + name.sliced(1);
    }
    return {};
}

/// Codes stand before the brackets of a range, and what they mean inside.
void mendSpaces(QByteArray& characterMap)
{
    for (qsizetype open = characterMap.indexOf('['); open >= 0; open = characterMap.indexOf('[', open + 1)) {
        const qsizetype close = characterMap.indexOf(']', open);
        if (close < 0)
            return;
        QByteArray meanings = characterMap.sliced(open, close - open);
        meanings.replace("<0009>", "<0020>");
        characterMap.replace(open, close - open, meanings);
    }
}

}  // namespace

void mendFonts(PdfObjects& objects)
{
    std::map<int, QByteArray> names;  // of fonts whose descendant it is, too
    for (const auto& [number, object] : objects.all()) {
        const QByteArray descriptor = object.entry("/FontDescriptor");
        if (!descriptor.isEmpty())
            names[number] = subsetName(objects, objects.resolved(descriptor));
    }
    std::vector<int> all;
    for (const auto& [number, object] : objects.all())
        all.push_back(number);
    for (const int number : all) {
        PdfObject& object = objects.at(number);
        const std::vector<int> below = pdfReferences(object.entry("/DescendantFonts"));
        const auto name = names.find(below.empty() ? number : below.front());
        if (name != names.end() && !name->second.isEmpty()) {
            object.setEntry("/BaseFont", name->second);
            if (below.empty())
                objects.at(pdfReferences(object.entry("/FontDescriptor")).front())
                    .setEntry("/FontName", name->second);
        }
        if (object.stream && object.stream->contains("begincmap"))
            mendSpaces(*object.stream);
    }
}

}  // namespace hs
