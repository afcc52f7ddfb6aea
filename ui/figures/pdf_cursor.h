#pragma once

#include <QByteArrayView>

#include <optional>

namespace hs {

/// Goes over the text of a PDF file value by value and never past its end. Throws Failure where the
/// text is no PDF.
class PdfCursor {
public:
    explicit PdfCursor(QByteArrayView text, qsizetype at = 0);

    qsizetype position() const { return m_at; }
    /// Over white space and comments; false at the end of the text.
    bool skipSpace();
    /// Takes a word or mark if it comes next.
    bool take(QByteArrayView word);
    std::optional<int> takeNumber();
    /// The object of a reference "12 0 R", if one comes next.
    std::optional<int> takeReference();
    /// The next value: a number, name, string, reference, or a whole array or dictionary.
    QByteArrayView takeValue();
    /// The next part of a value: brackets are parts of their own.
    QByteArrayView takePart();
    /// So many bytes as they are.
    QByteArrayView takeBytes(qsizetype count);

private:
    void skipString();

    QByteArrayView m_text;
    qsizetype m_at = 0;
};

[[noreturn]] void failAsDamagedPdf(const char* detail);

}  // namespace hs
