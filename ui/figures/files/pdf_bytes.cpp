#include "figures/files/pdf_bytes.h"

#include <qpdf/QPDF.hh>
#include <qpdf/QPDFWriter.hh>

namespace hs::figures {

QByteArray pdfBytes(QPDF& pdf)
{
    pdf.getTrailer().removeKey("/ID");  // part of it would be kept
    QPDFWriter writer(pdf);
    writer.setOutputMemory();
    writer.setStreamDataMode(qpdf_s_preserve);
    writer.setNewlineBeforeEndstream(true);
    writer.setMinimumPDFVersion("1.5");
    writer.setDeterministicID(true);
    writer.write();
    for (const QPDFExc& warning : pdf.getWarnings())
        throw warning;
    const std::shared_ptr<Buffer> bytes = writer.getBufferSharedPointer();
    return {reinterpret_cast<const char*>(bytes->getBuffer()), static_cast<qsizetype>(bytes->getSize())};
}

}  // namespace hs::figures
