#pragma once

#include <QByteArray>

#include <map>
#include <optional>
#include <vector>

namespace hs {

/// One object of a PDF file: its value as text ("<< /Type /Page … >>"), and what follows it where it
/// is a stream, still packed.
struct PdfObject {
    QByteArray value;
    std::optional<QByteArray> stream;

    /// Of a dictionary: the value's text under "/Key", empty where it has none.
    QByteArray entry(QByteArrayView key) const;
    /// Sets it; an empty value takes it out.
    void setEntry(const QByteArray& key, const QByteArray& entry);
};

/// The objects that "12 0 R" anywhere in a value refer to, in order.
std::vector<int> pdfReferences(const QByteArray& value);

/// The elements of an array's text.
std::vector<QByteArray> pdfElements(const QByteArray& array);

/// The objects of a PDF file with a classic cross-reference table, as Qt writes it, to look up and to
/// change. Files of anybody's may be read: what is not as it should be throws Failure.
class PdfObjects {
public:
    static PdfObjects parse(QByteArrayView file);

    int root() const { return m_root; }
    int info() const { return m_info; }  // 0: none
    const std::map<int, PdfObject>& all() const { return m_objects; }
    const PdfObject& at(int number) const;
    PdfObject& at(int number);
    /// The object that a value refers to, or the value itself as an object.
    PdfObject resolved(const QByteArray& value) const;

    int add(PdfObject object);

    /// The file of all objects that can be reached, numbered in the order in which they are, so that
    /// equal content is equal bytes whatever the numbers were.
    QByteArray write() const;

private:
    std::map<int, PdfObject> m_objects;
    int m_root = 0;
    int m_info = 0;
};

}  // namespace hs
