#include "guide/pages.h"

#include <QFile>
#include <QRegularExpression>

namespace hs::guide {
namespace {

Page readPage(const QString& name)
{
    Page page;
    page.name = name;
    QFile file(guideResource(name));
    if (file.open(QIODevice::ReadOnly))
        page.markdown = QString::fromUtf8(file.readAll());
    const QString firstLine = page.markdown.section(QLatin1Char('\n'), 0, 0);
    page.title = firstLine.startsWith(QStringLiteral("# ")) ? firstLine.mid(2).trimmed() : name;
    return page;
}

}  // namespace

QString guideResource(const QString& name)
{
    return QStringLiteral(":/headscope/guide/") + name;
}

std::vector<Page> readGuide()
{
    std::vector<Page> pages = {readPage(QString::fromLatin1(kGuideIndex))};
    static const QRegularExpression link(QStringLiteral(R"(\]\(([\w-]+\.md)\))"));
    const QString index = pages.front().markdown;
    for (auto links = link.globalMatch(index); links.hasNext();) {
        const QString name = links.next().captured(1);
        const bool isNew =
            std::none_of(pages.begin(), pages.end(), [&](const Page& page) { return page.name == name; });
        if (isNew && QFile::exists(guideResource(name)))
            pages.push_back(readPage(name));
    }
    return pages;
}

QString headingAnchor(const QString& heading)
{
    QString anchor;
    for (const QChar letter : heading.trimmed().toLower()) {
        if (letter.isLetterOrNumber() || letter == QLatin1Char('-') || letter == QLatin1Char('_'))
            anchor += letter;
        else if (letter.isSpace())
            anchor += QLatin1Char('-');
    }
    return anchor;
}

}  // namespace hs::guide
