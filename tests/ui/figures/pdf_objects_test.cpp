#include "figures/pdf_objects.h"

#include "base/failure.h"
#include "support/catch.h"

using namespace hs;

namespace {

/// A file of these objects, numbered from 1, with a classic cross-reference table.
QByteArray fileOf(const std::vector<QByteArray>& objects, const QByteArray& trailer)
{
    QByteArray file = "%PDF-1.4\n";
    QByteArray table = "0000000000 65535 f \n";
    for (std::size_t index = 0; index < objects.size(); ++index) {
        table += QByteArray::number(file.size()).rightJustified(10, '0') + " 00000 n \n";
        file += QByteArray::number(static_cast<qsizetype>(index) + 1) + " 0 obj\n" + objects[index] +
                "\nendobj\n";
    }
    const QByteArray start = QByteArray::number(file.size());
    return file + "xref\n0 " + QByteArray::number(static_cast<qsizetype>(objects.size()) + 1) + '\n' + table +
           "trailer\n" + trailer + "\nstartxref\n" + start + "\n%%EOF\n";
}

QByteArray smallFile()
{
    return fileOf({"<< /Type /Catalog /Pages 2 0 R >>", "<< /Note (a \\) ( 9 0 R ) b) /Kids [4 0 R] >>",
                   "<< /Unreached true >>", "<< /Length 5 0 R >>\nstream\nendobj 9 0 R\nendstream", "12"},
                  "<< /Size 6 /Root 1 0 R >>");
}

bool isRefused(const QByteArray& file)
{
    try {
        PdfObjects::parse(file);
    } catch (const Failure& failure) {
        return failure.error().code == ErrorCode::BadFile;
    }
    return false;
}

}  // namespace

TEST_CASE("objects are read with their streams, whatever is in them")
{
    const PdfObjects objects = PdfObjects::parse(smallFile());
    CHECK(objects.root() == 1);
    CHECK(objects.info() == 0);
    CHECK(objects.at(2).entry("/Note") == "(a \\) ( 9 0 R ) b)");
    CHECK(objects.at(4).stream == QByteArray("endobj 9 0 R"));
    CHECK(objects.resolved("5 0 R").value == "12");
    CHECK(objects.resolved("/Name").value == "/Name");
    CHECK(pdfReferences(objects.at(2).value) == std::vector<int>{4});
    CHECK_THROWS_AS(objects.at(9), Failure);
}

TEST_CASE("what is written has the reached objects alone, and is the same when written again")
{
    const QByteArray written = PdfObjects::parse(smallFile()).write();
    const PdfObjects again = PdfObjects::parse(written);
    CHECK(again.all().size() == 3);
    CHECK_FALSE(written.contains("/Unreached"));
    CHECK(again.at(3).stream == QByteArray("endobj 9 0 R"));
    CHECK(again.at(3).entry("/Length") == "12");
    CHECK((again.write() == written));
}

TEST_CASE("equal objects in another order are equal bytes")
{
    const QByteArray one = fileOf({"<< /A 2 0 R /B 3 0 R >>", "(a)", "(b)"}, "<< /Root 1 0 R >>");
    const QByteArray other = fileOf({"(b)", "(a)", "<< /A 2 0 R /B 1 0 R >>"}, "<< /Root 3 0 R >>");
    CHECK((PdfObjects::parse(one).write() == PdfObjects::parse(other).write()));
}

TEST_CASE("entries are found on their own level, set, added and taken out")
{
    PdfObject object{"<< /A << /B 1 >> /C[1 2]/B/Name >>", std::nullopt};
    CHECK(object.entry("/B") == "/Name");
    CHECK(object.entry("/C") == "[1 2]");
    CHECK(object.entry("/D").isEmpty());
    object.setEntry("/B", "(new)");
    object.setEntry("/D", "4");
    object.setEntry("/A", {});
    CHECK(object.entry("/B") == "(new)");
    CHECK(object.entry("/D") == "4");
    CHECK(object.entry("/A").isEmpty());
    CHECK(object.entry("/C") == "[1 2]");
    for (const char* const value : {"1", "", "[1 2]"})
        CHECK_THROWS_AS((PdfObject{value, std::nullopt}.setEntry("/A", "1")), Failure);
}

TEST_CASE("files whose numbers lie are refused")
{
    const QByteArray trailer = "<< /Root 1 0 R >>";
    CHECK(isRefused({}));
    CHECK(isRefused("%PDF-1.4\nstartxref\n999999\n%%EOF"));
    CHECK(isRefused("%PDF-1.4\nstartxref\n0\n%%EOF"));
    CHECK(isRefused("xref\n0 2000000000\ntrailer << >> startxref 0"));
    CHECK(isRefused("xref\n2147483647 2147483647\n1 0 n startxref 0"));
    CHECK(isRefused(fileOf({"<< /Length 99 >>\nstream\nshort\nendstream"}, trailer)));
    CHECK(isRefused(fileOf({"<< /Length 2147483647 >>\nstream\nshort\nendstream"}, trailer)));
    CHECK(isRefused(fileOf({"<< /Length 1 0 R >>\nstream\nshort\nendstream"}, trailer)));
    CHECK(isRefused(fileOf({"<< /Length 7 0 R >>\nstream\nshort\nendstream"}, trailer)));
    CHECK(isRefused(fileOf({"<< /Open"}, trailer)));
    CHECK(isRefused(fileOf({"(open"}, trailer)));
    CHECK(isRefused(fileOf({QByteArray(200000, '[')}, trailer)));
    CHECK(isRefused(fileOf({")"}, trailer)));
}

TEST_CASE("a file that refers to itself is written once")
{
    const QByteArray file = fileOf({"<< /A 1 0 R /B [2 0 R] >>", "[1 0 R 2 0 R]"}, "<< /Root 1 0 R >>");
    CHECK(PdfObjects::parse(PdfObjects::parse(file).write()).all().size() == 2);
}
