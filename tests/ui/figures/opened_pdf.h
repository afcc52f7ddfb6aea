#pragma once

#include <QByteArray>

#include <qpdf/QPDF.hh>

namespace hs::test {

/// A PDF file as read by libqpdf, while a test looks at it.
struct OpenedPdf {
    QByteArray bytes;
    QPDF pdf;

    explicit OpenedPdf(const QByteArray& file) : bytes(file)
    {
        pdf.setSuppressWarnings(true);
        pdf.processMemoryFile("a test's file", bytes.constData(), static_cast<std::size_t>(bytes.size()));
    }
};

}  // namespace hs::test
