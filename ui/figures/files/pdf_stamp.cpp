#include "figures/files/pdf_stamp.h"

#include "figures/files/xml_text.h"

#include <qpdf/QPDF.hh>
#include <qpdf/QPDFEmbeddedFileDocumentHelper.hh>

namespace hs::figures {
namespace {

QPDFObjectHandle infoDictionary(const Stamp& stamp)
{
    const auto text = [](const QString& words) {
        return QPDFObjectHandle::newUnicodeString(words.toStdString());
    };
    return QPDFObjectHandle::newDictionary({
        {"/Title", text(stamp.title)},
        {"/Subject", text(stamp.description)},
        {"/Creator", QPDFObjectHandle::newString("HeadScope " HS_VERSION)},
        {"/Producer", QPDFObjectHandle::newString(std::string("Qt ") + qVersion())},
    });
}

QByteArray xmpPacket(const Stamp& stamp)
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
           xmlJson(stamp.recipe) +
           "</headscope:recipe>\n"
           "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>";
}

/// Not compressed, so that it can be read in a text editor.
void attachRecipe(QPDF& pdf, const std::string& recipe)
{
    const std::string name = "headscope-figure.json";
    auto content = QPDFEFStreamObjectHelper::createEFStream(pdf, recipe);
    content.setSubtype("application/json");
    auto file = QPDFFileSpecObjectHelper::createFileSpec(pdf, name, content);
    file.setDescription("What HeadScope makes this figure from");
    QPDFEmbeddedFileDocumentHelper(pdf).replaceEmbeddedFile(name, file);
}

}  // namespace

void stampPdf(QPDF& pdf, const Stamp& stamp)
{
    pdf.getTrailer().replaceKey("/Info", pdf.makeIndirectObject(infoDictionary(stamp)));
    QPDFObjectHandle metadata = pdf.newStream(xmpPacket(stamp).toStdString());
    metadata.getDict().replaceKey("/Type", "/Metadata"_qpdf);
    metadata.getDict().replaceKey("/Subtype", "/XML"_qpdf);
    pdf.getRoot().replaceKey("/Metadata", metadata);
    if (!stamp.recipe.empty())
        attachRecipe(pdf, stamp.recipe);
}

}  // namespace hs::figures
