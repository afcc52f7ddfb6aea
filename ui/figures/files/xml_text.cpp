#include "figures/files/xml_text.h"

namespace hs::figures {
namespace {

bool fitsXml(QChar unit)
{
    return (unit.unicode() >= 0x20 && unit.unicode() < 0xfffe) || unit == u'\n' || unit == u'\t' ||
           unit == u'\r';
}

/// `replaceMisfit` returns the replacement for a UTF-16 unit that XML cannot hold.
template <class Replace>
QByteArray escaped(const QString& text, Replace replaceMisfit)
{
    QString safe;
    safe.reserve(text.size());
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar unit = text[at];
        const bool isPair = unit.isHighSurrogate() && at + 1 < text.size() && text[at + 1].isLowSurrogate();
        if (isPair)
            safe += text.sliced(at++, 2);
        else if (unit.isSurrogate() || !fitsXml(unit))
            safe += replaceMisfit(unit);
        else if (unit == u'&')
            safe += QLatin1String("&amp;");
        else if (unit == u'<')
            safe += QLatin1String("&lt;");
        else if (unit == u'>')
            safe += QLatin1String("&gt;");
        else if (unit == u'"')
            safe += QLatin1String("&quot;");
        else if (unit == u'\r')
            safe += QLatin1String("&#13;");
        else
            safe += unit;
    }
    return safe.toUtf8();
}

}  // namespace

QByteArray xmlText(const QString& text)
{
    return escaped(text, [](QChar) { return QString(QChar(QChar::ReplacementCharacter)); });
}

QByteArray xmlJson(const std::string& json)
{
    return escaped(QString::fromStdString(json), [](QChar unit) {
        return QStringLiteral("\\u%1").arg(unit.unicode(), 4, 16, QLatin1Char('0'));
    });
}

}  // namespace hs::figures
