#include "figures/pdf_objects.h"

#include "figures/pdf_cursor.h"

#include <QCryptographicHash>

#include <limits>
#include <string_view>

namespace hs {
namespace {

/// Where a word stands last; less than 0: nowhere. (QByteArrayView::lastIndexOf of Qt 6.4 reads before
/// texts that are shorter than the word.)
qsizetype lastPlaceOf(std::string_view word, QByteArrayView text)
{
    const std::size_t at = std::string_view(text.data(), static_cast<std::size_t>(text.size())).rfind(word);
    return at == std::string_view::npos ? -1 : static_cast<qsizetype>(at);
}

/// Where the value under a key lies in a dictionary's text.
struct Place {
    qsizetype key = 0;
    qsizetype value = 0;
    qsizetype end = 0;
};

std::optional<Place> placeOf(QByteArrayView dictionary, QByteArrayView key)
{
    PdfCursor cursor(dictionary);
    if (!cursor.take("<<"))
        return std::nullopt;
    while (!cursor.take(">>")) {
        cursor.skipSpace();
        Place place;
        place.key = cursor.position();
        const QByteArrayView name = cursor.takeValue();
        cursor.skipSpace();
        place.value = cursor.position();
        cursor.takeValue();
        place.end = cursor.position();
        if (name == key)
            return place;
    }
    return std::nullopt;
}

qsizetype crossReferencesAt(QByteArrayView file)
{
    const qsizetype word = lastPlaceOf("startxref", file);
    if (word < 0)
        failAsDamagedPdf("no startxref");
    PdfCursor cursor(file, word);
    cursor.take("startxref");
    const std::optional<int> at = cursor.takeNumber();
    if (!at)
        failAsDamagedPdf("startxref without a number");
    return *at;
}

/// Offsets of the objects in use; leaves the cursor at the trailer's dictionary.
std::map<int, qsizetype> readOffsets(PdfCursor& cursor)
{
    if (!cursor.take("xref"))
        failAsDamagedPdf("no classic cross-reference table");
    std::map<int, qsizetype> offsets;
    while (!cursor.take("trailer")) {
        const std::optional<int> first = cursor.takeNumber();
        const std::optional<int> count = cursor.takeNumber();
        if (!first || !count || *first > std::numeric_limits<int>::max() - *count)
            failAsDamagedPdf("a section of the cross-reference table is damaged");
        for (int number = *first; number < *first + *count; ++number) {
            const std::optional<int> offset = cursor.takeNumber();
            const bool isEntry = offset && cursor.takeNumber();
            if (!isEntry)
                failAsDamagedPdf("an entry of the cross-reference table is damaged");
            if (cursor.take("n"))
                offsets.emplace(number, *offset);
            else if (!cursor.take("f"))
                failAsDamagedPdf("an entry of the cross-reference table is of no known kind");
        }
    }
    return offsets;
}

/// "/Length 12" or "/Length 12 0 R".
qsizetype streamLength(const PdfObject& object, QByteArrayView file, const std::map<int, qsizetype>& offsets)
{
    const QByteArray length = object.entry("/Length");
    PdfCursor cursor(length);
    std::optional<int> bytes;
    if (const std::optional<int> reference = cursor.takeReference()) {
        const auto at = offsets.find(*reference);
        if (at == offsets.end())
            failAsDamagedPdf("a stream's length is missing");
        PdfCursor elsewhere(file, at->second);
        elsewhere.takeNumber();
        elsewhere.takeNumber();
        if (elsewhere.take("obj"))
            bytes = elsewhere.takeNumber();
    } else {
        bytes = cursor.takeNumber();
    }
    if (!bytes)
        failAsDamagedPdf("a stream has no length");
    return *bytes;
}

PdfObject readObject(QByteArrayView file, int number, const std::map<int, qsizetype>& offsets)
{
    PdfCursor cursor(file, offsets.at(number));
    if (cursor.takeNumber() != number || !cursor.takeNumber() || !cursor.take("obj"))
        failAsDamagedPdf("an object is not where the cross-reference table says");
    PdfObject object{cursor.takeValue().toByteArray(), std::nullopt};
    if (cursor.take("stream")) {
        const qsizetype length = streamLength(object, file, offsets);
        if (cursor.takeBytes(1) == "\r")
            cursor.takeBytes(1);
        object.stream = cursor.takeBytes(length).toByteArray();
        if (!cursor.take("endstream"))
            failAsDamagedPdf("a stream does not end where its length says");
    }
    if (!cursor.take("endobj"))
        failAsDamagedPdf("an object does not end");
    return object;
}

QByteArray renumbered(const QByteArray& value, const std::map<int, int>& numbers)
{
    QByteArray result;
    qsizetype copied = 0;
    PdfCursor cursor(value);
    while (cursor.skipSpace()) {
        const qsizetype start = cursor.position();
        if (const std::optional<int> number = cursor.takeReference()) {
            result += value.sliced(copied, start - copied) + QByteArray::number(numbers.at(*number)) + " 0 R";
            copied = cursor.position();
        } else {
            cursor.takePart();
        }
    }
    return result + value.sliced(copied);
}

}  // namespace

QByteArray PdfObject::entry(QByteArrayView key) const
{
    const std::optional<Place> place = placeOf(value, key);
    return place ? value.sliced(place->value, place->end - place->value) : QByteArray();
}

void PdfObject::setEntry(const QByteArray& key, const QByteArray& entry)
{
    if (const std::optional<Place> place = placeOf(value, key)) {
        if (entry.isEmpty())
            value.remove(place->key, place->end - place->key);
        else
            value.replace(place->value, place->end - place->value, entry);
        return;
    }
    const qsizetype end = lastPlaceOf(">>", value);
    if (end < 0)
        failAsDamagedPdf("an object is no dictionary");
    if (!entry.isEmpty())
        value.insert(end, key + ' ' + entry + ' ');
}

std::vector<int> pdfReferences(const QByteArray& value)
{
    std::vector<int> all;
    PdfCursor cursor(value);
    while (cursor.skipSpace()) {
        if (const std::optional<int> number = cursor.takeReference())
            all.push_back(*number);
        else
            cursor.takePart();
    }
    return all;
}

std::vector<QByteArray> pdfElements(const QByteArray& array)
{
    std::vector<QByteArray> elements;
    PdfCursor cursor(array);
    if (!cursor.take("["))
        return elements;
    while (!cursor.take("]"))
        elements.push_back(cursor.takeValue().toByteArray());
    return elements;
}

PdfObjects PdfObjects::parse(QByteArrayView file)
{
    PdfCursor cursor(file, crossReferencesAt(file));
    const std::map<int, qsizetype> offsets = readOffsets(cursor);
    const PdfObject trailer{cursor.takeValue().toByteArray(), std::nullopt};
    PdfObjects objects;
    qsizetype bytes = 0;
    for (const auto& [number, offset] : offsets) {
        const PdfObject& object = objects.m_objects[number] = readObject(file, number, offsets);
        bytes += object.value.size() + (object.stream ? object.stream->size() : 0);
        if (bytes > file.size())
            failAsDamagedPdf("objects overlap");
    }
    const auto referred = [&](QByteArrayView key) {
        const std::vector<int> numbers = pdfReferences(trailer.entry(key));
        return numbers.empty() ? 0 : numbers.front();
    };
    objects.m_root = referred("/Root");
    objects.m_info = referred("/Info");
    return objects;
}

const PdfObject& PdfObjects::at(int number) const
{
    const auto found = m_objects.find(number);
    if (found == m_objects.end())
        failAsDamagedPdf("an object is missing");
    return found->second;
}

PdfObject& PdfObjects::at(int number)
{
    return const_cast<PdfObject&>(std::as_const(*this).at(number));
}

PdfObject PdfObjects::resolved(const QByteArray& value) const
{
    const std::optional<int> number = PdfCursor(value).takeReference();
    return number ? at(*number) : PdfObject{value, std::nullopt};
}

int PdfObjects::add(PdfObject object)
{
    const int number = m_objects.empty() ? 1 : m_objects.rbegin()->first + 1;
    m_objects.emplace(number, std::move(object));
    return number;
}

QByteArray PdfObjects::write() const
{
    std::vector<PdfObject> reached;
    std::map<int, int> numbers;
    std::vector<int> order;
    const auto reach = [&](int number) {
        if (numbers.emplace(number, static_cast<int>(order.size()) + 1).second)
            order.push_back(number);
    };
    reach(m_root);
    if (m_info > 0)
        reach(m_info);
    for (std::size_t next = 0; next < order.size(); ++next) {
        PdfObject object = at(order[next]);
        if (object.stream)
            object.setEntry("/Length", QByteArray::number(object.stream->size()));
        for (const int number : pdfReferences(object.value))
            reach(number);
        reached.push_back(std::move(object));
    }

    QByteArray file = "%PDF-1.5\n%\xc3\xa2\xc3\xa3\n";
    QByteArray table = "0000000000 65535 f \n";
    for (std::size_t index = 0; index < reached.size(); ++index) {
        const PdfObject& object = reached[index];
        table += QByteArray::number(file.size()).rightJustified(10, '0') + " 00000 n \n";
        file += QByteArray::number(static_cast<qsizetype>(index + 1)) + " 0 obj\n" +
                renumbered(object.value, numbers);
        if (object.stream)
            file += "\nstream\n" + *object.stream + "\nendstream";
        file += "\nendobj\n";
    }
    const QByteArray size = QByteArray::number(static_cast<qsizetype>(reached.size() + 1));
    const QByteArray id = '<' + QCryptographicHash::hash(file, QCryptographicHash::Md5).toHex() + '>';
    const QByteArray start = QByteArray::number(file.size());
    file += "xref\n0 " + size + '\n' + table + "trailer\n<< /Size " + size + " /Root 1 0 R";
    if (m_info > 0)
        file += " /Info 2 0 R";
    return file + " /ID [" + id + ' ' + id + "] >>\nstartxref\n" + start + "\n%%EOF\n";
}

}  // namespace hs
