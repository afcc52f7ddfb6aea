#include "figures/files/figure_html.h"

#include "base/failure.h"
#include "figures/files/figure_svg.h"
#include "figures/files/page_data.h"
#include "figures/files/xml_text.h"

#include <QCryptographicHash>
#include <QFile>

#include <map>

namespace hs::figures {
namespace {

QByteArray resource(const char* name)
{
    QFile file(QLatin1String(":/headscope/page/") + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly))
        fail(ErrorCode::Internal, "The program's own page is missing; build HeadScope again.", name);
    return file.readAll();
}

/// The text with each {{name}} replaced, in one pass: what is put in is never searched.
QByteArray filled(const QByteArray& pattern, const std::map<QByteArray, QByteArray>& parts)
{
    QByteArray text;
    qsizetype at = 0;
    for (qsizetype open = pattern.indexOf("{{"); open >= 0; open = pattern.indexOf("{{", at)) {
        const qsizetype close = pattern.indexOf("}}", open);
        text += pattern.sliced(at, open - at) + parts.at(pattern.sliced(open + 2, close - open - 2));
        at = close + 2;
    }
    return text + pattern.sliced(at);
}

/// What the browser lets the page do: run this script, use this style, nothing else.
QByteArray policy(const QByteArray& script, const QByteArray& style)
{
    const auto hash = [](const QByteArray& content) {
        return "'sha256-" + QCryptographicHash::hash(content, QCryptographicHash::Sha256).toBase64() + "'";
    };
    return "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) +
           "; base-uri 'none'; form-action 'none'";
}

QString headingOf(const Page& page)
{
    QStringList titles;
    for (const TilePanel& panel : page.panels)
        titles << panel.title;
    return titles.join(QStringLiteral(" · "));
}

}  // namespace

QByteArray figureHtml(const Drawing& drawing, const Stamp& stamp)
{
    const std::shared_ptr<const Page>& page = drawing.page();
    if (!page)
        fail(ErrorCode::BadRequest,
             "A page shows grids of heads, and this figure has none to explore; choose "
             "head-grid, ranked-heads or key-query, or end the file's name in .pdf, "
             ".svg or .png.");
    const QByteArray style = resource("page.css");
    const QByteArray script = "\n'use strict';\n(() => {\n\n" + resource("tiles.js") + '\n' +
                              resource("grid.js") + '\n' + resource("page.js") + "\n})();\n";
    QByteArray tiles;
    for (const TilePanel& panel : page->panels)
        tiles += "<script type=\"application/octet-stream\">" + packedTiles(panel).toBase64() + "</script>\n";
    return filled(resource("page.html"), {{"policy", policy(script, style)},
                                          {"program", "HeadScope " HS_VERSION},
                                          {"title", xmlText(stamp.title)},
                                          {"description", xmlText(stamp.description)},
                                          {"style", style},
                                          {"layout", page->isStacked ? "stacked" : "beside"},
                                          {"heading", xmlText(headingOf(*page))},
                                          {"caption", xmlText(page->caption)},
                                          {"recipe", recipeElement(stamp)},
                                          {"data", pageJson(*page)},
                                          {"tiles", tiles},
                                          {"script", script}});
}

}  // namespace hs::figures
