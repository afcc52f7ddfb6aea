#include "figures/files/pdf_bytes.h"

#include "support/catch.h"
#include "ui/figures/opened_pdf.h"

using namespace hs;

namespace {

/// A file of these objects, numbered from 1, with a classic cross-reference table.
QByteArray fileOf(const std::vector<QByteArray>& objects, const QByteArray& root, const QByteArray& rest = {})
{
    QByteArray file = "%PDF-1.4\n";
    QByteArray table = "0000000000 65535 f \n";
    for (std::size_t index = 0; index < objects.size(); ++index) {
        table += QByteArray::number(file.size()).rightJustified(10, '0') + " 00000 n \n";
        file += QByteArray::number(static_cast<qsizetype>(index) + 1) + " 0 obj\n" + objects[index] +
                "\nendobj\n";
    }
    const QByteArray start = QByteArray::number(file.size());
    const QByteArray size = QByteArray::number(static_cast<qsizetype>(objects.size()) + 1);
    return file + "xref\n0 " + size + '\n' + table + "trailer\n<< /Size " + size + " /Root " + root +
           " 0 R " + rest + " >>\nstartxref\n" + start + "\n%%EOF\n";
}

const QByteArray kNoPages = "/Type /Catalog /Pages << /Type /Pages /Kids [] /Count 0 >> ";

QByteArray rewritten(const QByteArray& file)
{
    test::OpenedPdf opened(file);
    return figures::pdfBytes(opened.pdf);
}

}  // namespace

TEST_CASE("what is written has the reached objects alone, and is the same when written again")
{
    const QByteArray written =
        rewritten(fileOf({"<< " + kNoPages + "/A [3 0 R] >>", "<< /Unreached true >>", "(reached)"}, "1"));
    CHECK(written.contains("(reached)"));
    CHECK_FALSE(written.contains("/Unreached"));
    CHECK((rewritten(written) == written));
}

TEST_CASE("equal objects in another order are equal bytes")
{
    const QByteArray one = fileOf({"<< " + kNoPages + "/A 2 0 R /B 3 0 R >>", "(a)", "(b)"}, "1");
    const QByteArray other = fileOf({"(b)", "(a)", "<< " + kNoPages + "/A 2 0 R /B 1 0 R >>"}, "3");
    CHECK((rewritten(one) == rewritten(other)));
}

TEST_CASE("a file that refers to itself is written once")
{
    const QByteArray file = fileOf({"<< " + kNoPages + "/A 1 0 R /B [2 0 R] >>", "[1 0 R 2 0 R]"}, "1");
    CHECK(test::OpenedPdf(rewritten(file)).pdf.getAllObjects().size() == 2);
}

TEST_CASE("an identity that a file was given before does not show")
{
    const std::vector<QByteArray> objects = {"<< " + kNoPages + ">>"};
    const QByteArray one = fileOf(objects, "1", "/ID [(0123456789abcdef) (0123456789abcdef)]");
    const QByteArray other = fileOf(objects, "1", "/ID [(fedcba9876543210) (fedcba9876543210)]");
    CHECK((rewritten(one) == rewritten(other)));
    CHECK((rewritten(one) == rewritten(fileOf(objects, "1"))));
}

TEST_CASE("streams are written as they are")
{
    const QByteArray text = "endobj, as plain as it was";
    const QByteArray stream =
        "/Length " + QByteArray::number(text.size()) + " >>\nstream\n" + text + "\nendstream";
    const QByteArray packed = "<< /Filter /FlateDecode ";  // whether or not it is
    const QByteArray written =
        rewritten(fileOf({"<< " + kNoPages + "/A 2 0 R /B 3 0 R >>", "<< " + stream, packed + stream}, "1"));
    CHECK(written.count("stream\n" + text + "\nendstream") == 2);
}

TEST_CASE("a file of which something was not as it was taken for is not written")
{
    test::OpenedPdf file(fileOf({"<< " + kNoPages + "/A (text) >>"}, "1"));
    file.pdf.getRoot().getKey("/A").replaceKey("/B", QPDFObjectHandle::newNull());
    CHECK_THROWS_AS(figures::pdfBytes(file.pdf), std::runtime_error);
}
