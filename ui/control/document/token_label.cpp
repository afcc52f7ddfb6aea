#include "control/document/token_label.h"

#include <QStringDecoder>

namespace hs::control {
namespace {

bool isUtf8(const QByteArray& bytes)
{
    // Stateless: a truncated character is an error, not one to be continued.
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded = decoder(bytes);
    return !decoder.hasError() && !decoded.isNull();
}

QString asBytes(const QByteArray& bytes)
{
    QString text;
    for (const char byte : bytes)
        text +=
            QStringLiteral("\\x%1").arg(static_cast<unsigned char>(byte), 2, 16, QLatin1Char('0')).toUpper();
    return text.replace(QStringLiteral("\\X"), QStringLiteral("\\x"));
}

}  // namespace

QString tokenLabel(const std::string& text)
{
    const QByteArray bytes = QByteArray::fromStdString(text);
    if (bytes.isEmpty())
        return QStringLiteral("∅");
    if (!isUtf8(bytes))
        return asBytes(bytes);
    QString label = QString::fromUtf8(bytes);
    label.replace(QLatin1Char('\n'), QStringLiteral("↵"));
    label.replace(QLatin1Char('\r'), QStringLiteral("␍"));
    label.replace(QLatin1Char('\t'), QStringLiteral("⇥"));
    int spaces = 0;
    while (spaces < label.size() && label.at(spaces) == QLatin1Char(' '))
        label[spaces++] = QChar(0x00b7);
    return label;
}

}  // namespace hs::control
