#include "control/document/token_label.h"

#include <QStringDecoder>

#include <algorithm>

namespace hs::control {
namespace {

constexpr qsizetype kMostDots = 8;  // in a row

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

/// Spaces at the start, and several in a row anywhere, as dots; very many as "␣×17".
QString withVisibleSpaces(const QString& text)
{
    QString label;
    for (qsizetype at = 0; at < text.size();) {
        qsizetype spaces = 0;
        while (at + spaces < text.size() && text.at(at + spaces) == QLatin1Char(' '))
            ++spaces;
        if (spaces > kMostDots)
            label += QStringLiteral("␣×%1").arg(spaces);
        else if (spaces > 1 || (spaces == 1 && at == 0))
            label += QString(spaces, QChar(0x00b7));
        else
            label += text.at(at);
        at += std::max<qsizetype>(spaces, 1);
    }
    return label;
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
    return withVisibleSpaces(label);
}

}  // namespace hs::control
