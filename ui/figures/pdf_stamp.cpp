#include "figures/pdf_stamp.h"

#include "base/failure.h"
#include "figures/inflate.h"
#include "figures/xml_text.h"

namespace hs {
namespace {

const QByteArray kRecipeName = "(headscope-figure.json)";

QByteArray textString(const QString& text)
{
    QByteArray hex = "<feff";
    for (const QChar unit : text)
        hex += QByteArray::number(unit.unicode(), 16).rightJustified(4, '0');
    return hex + '>';
}

QByteArray reference(int number)
{
    return QByteArray::number(number) + " 0 R";
}

QByteArray infoDictionary(const FigureStamp& stamp)
{
    return "<< /Title " + textString(stamp.title) + " /Subject " + textString(stamp.description) +
           " /Creator (HeadScope " HS_VERSION ") /Producer (Qt " + qVersion() + ") >>";
}

QByteArray xmpPacket(const FigureStamp& stamp)
{
    const auto inAnyLanguage = [](const char* tag, const QString& text) {
        return QByteArray("<dc:") + tag + "><rdf:Alt><rdf:li xml:lang=\"x-default\">" + xmlText(text) +
               "</rdf:li></rdf:Alt></dc:" + tag + ">\n";
    };
    return "<?xpacket begin=\"\xef\xbb\xbf\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
           "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
           "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
           "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
           "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmlns:headscope=\"urn:headscope:figure\">\n"
           "<dc:format>application/pdf</dc:format>\n" +
           inAnyLanguage("title", stamp.title) + inAnyLanguage("description", stamp.description) +
           "<xmp:CreatorTool>HeadScope " HS_VERSION "</xmp:CreatorTool>\n"
           "<headscope:recipe>" +
           xmlText(QString::fromStdString(stamp.recipe)) +
           "</headscope:recipe>\n"
           "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>";
}

QByteArray nameTree(PdfObjects& objects, const QByteArray& recipe)
{
    // Not packed: whoever opens the file in an editor can read it, and no reader has to inflate it.
    const int stream = objects.add({"<< /Type /EmbeddedFile /Subtype /application#2Fjson /Params << /Size " +
                                        QByteArray::number(recipe.size()) + " >> >>",
                                    recipe});
    const int file = objects.add({"<< /Type /Filespec /F " + kRecipeName + " /UF " + kRecipeName +
                                      " /Desc (What HeadScope makes this figure from) /EF << /F " +
                                      reference(stream) + " >> >>",
                                  std::nullopt});
    return "<< /EmbeddedFiles << /Names [" + kRecipeName + ' ' + reference(file) + "] >> >>";
}

}  // namespace

void stampPdf(PdfObjects& objects, const FigureStamp& stamp)
{
    objects.at(objects.info()) = {infoDictionary(stamp), std::nullopt};
    const int metadata = objects.add({"<< /Type /Metadata /Subtype /XML >>", xmpPacket(stamp)});
    PdfObject& root = objects.at(objects.root());
    root.setEntry("/Metadata", reference(metadata));
    if (!stamp.recipe.empty())
        root.setEntry("/Names", nameTree(objects, QByteArray::fromStdString(stamp.recipe)));
}

QByteArray attachedRecipe(const PdfObjects& objects)
{
    const auto follow = [&](const PdfObject& from, QByteArrayView key) {
        return objects.resolved(from.entry(key));
    };
    const PdfObject tree = follow(follow(objects.at(objects.root()), "/Names"), "/EmbeddedFiles");
    const std::vector<QByteArray> files = pdfElements(follow(tree, "/Names").value);
    for (std::size_t index = 0; index + 1 < files.size(); index += 2) {
        if (files[index] != kRecipeName)
            continue;
        const PdfObject content = follow(follow(objects.resolved(files[index + 1]), "/EF"), "/F");
        if (!content.stream)
            break;
        const QByteArray filter = content.entry("/Filter");
        return filter.isEmpty() ? *content.stream : inflated(*content.stream);
    }
    return {};
}

}  // namespace hs
