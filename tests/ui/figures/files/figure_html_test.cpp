#include "figures/files/figure_html.h"

#include "base/failure.h"
#include "figures/files/figure_svg.h"
#include "figures/parts/page.h"
#include "support/catch.h"
#include "ui/figures/figure_sample.h"
#include "ui/made_up_run.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtEndian>

#include <filesystem>
#include <random>

using namespace hs;

namespace {

const QString kHostile = QStringLiteral("</script><img src=x onerror=alert(1)>&amp;{{script}}\"'<!--");

figures::TilePanel panelOf(const QString& title, HeadShape heads, int tokens, double keptShare)
{
    figures::TilePanel panel;
    panel.title = title;
    panel.result = test::madeUpRun(heads, tokens, keptShare);
    panel.heads = test::allHeads(panel.result);
    panel.caption = figures::describeRun(panel);
    for (int position = 0; position < tokens; ++position)
        panel.text.tokens.push_back(QStringLiteral("t%1").arg(position));
    panel.text.position = tokens - 1;
    return panel;
}

figures::Drawing drawingOf(figures::Page page)
{
    figures::Drawing drawing;
    drawing.setPage(std::make_shared<const figures::Page>(std::move(page)));
    return drawing;
}

/// Two panels with everything a page can show, and texts that must not become markup.
figures::Page samplePage()
{
    figures::Page page;
    page.caption = QStringLiteral("Weights of made-up heads. ") + kHostile;
    for (const double keptShare : {1.0, 0.1}) {
        figures::TilePanel panel = panelOf(keptShare < 1 ? QStringLiteral("Sparse") : QStringLiteral("Dense"),
                                           {6, 8, 8}, 24, keptShare);
        panel.text.tokens[3] = kHostile;
        panel.ablated = {{1, 2}, {3, 4}};
        panel.patched = {{3, 4}};
        panel.text.next = {{QStringLiteral("·Mary"), {{0.9, false}, {0.25, false}}},
                           {kHostile, {{0.01, true}, {0.5, false}}}};
        page.panels.push_back(panel);
    }
    page.panels.back().flow = {render::TileFlow::Kind::Wrapped, 8};
    for (figures::TilePanel& panel : page.panels) {
        panel.flow.hasMlps = true;
        panel.mlps = {{0, 1.5}, {1, -0.75}, {2, 3.0}, {3, 0.25}, {4, 0.5}, {5, 2.0}};
        panel.mostWritten = 3;
        panel.ablated.insert(HeadId::mlpOf(5));
    }
    return page;
}

QByteArray html(const figures::Page& page)
{
    return figures::figureHtml(drawingOf(page), test::sampleStamp());
}

/// What stands between each `open` and the next `close`.
QList<QByteArray> between(const QByteArray& text, const QByteArray& open, const QByteArray& close)
{
    QList<QByteArray> parts;
    for (qsizetype at = text.indexOf(open); at >= 0; at = text.indexOf(open, at + 1)) {
        const qsizetype begin = at + open.size();
        parts << text.mid(begin, text.indexOf(close, begin) - begin);
    }
    return parts;
}

QJsonObject dataIn(const QByteArray& page)
{
    QJsonParseError problem;
    const auto json = QJsonDocument::fromJson(
        between(page, "<script type=\"application/json\">", "</script>").value(0), &problem);
    INFO(problem.errorString().toStdString());
    REQUIRE(problem.error == QJsonParseError::NoError);
    return json.object();
}

qint64 tileBytes(const figures::Page& page)
{
    qint64 bytes = 0;
    for (const figures::TilePanel& panel : page.panels)
        bytes += static_cast<qint64>(panel.heads.size()) * panel.result.tileRows * panel.result.tileColumns;
    return bytes;
}

/// Tiles that no packing makes smaller.
figures::Page noisePage(HeadShape heads, int side)
{
    std::mt19937 random(5);
    figures::TilePanel panel;
    panel.result.heads = heads;
    panel.result.tileRows = panel.result.tileColumns = side;
    panel.result.tokens.resize(static_cast<std::size_t>(side));
    const std::size_t cells = static_cast<std::size_t>(heads.heads * side * side);
    for (int layer = 0; layer < heads.layers; ++layer) {
        const std::shared_ptr<std::uint8_t[]> tiles(new std::uint8_t[cells]);
        std::generate_n(tiles.get(), cells, [&] { return static_cast<std::uint8_t>(random()); });
        panel.result.tiles.push_back(tiles);
    }
    panel.result.stats.resize(static_cast<std::size_t>(heads.total()));
    panel.heads = test::allHeads(panel.result);
    figures::Page page;
    page.panels = {panel, panel};
    return page;
}

}  // namespace

TEST_CASE("a page asks for nothing outside itself")
{
    figures::Page page = samplePage();
    page.caption.clear();
    for (figures::TilePanel& panel : page.panels) {
        panel.text.tokens[3] = QStringLiteral("t3");
        panel.text.next.clear();
    }
    const QByteArray file = html(page);
    for (const char* const way : {"http", "src=", "href", "url(", "@import", "import(", "fetch(", "XMLHttp",
                                  "WebSocket", "sendBeacon", "//www", "eval(", "innerHTML", "Function("}) {
        CAPTURE(way);
        // The policy's own attribute is the one word that begins like an address.
        CHECK(file.count(way) == (QByteArray(way) == "http" ? file.count("http-equiv") : 0));
    }
}

TEST_CASE("a page's policy allows its own script and style and nothing else")
{
    const QByteArray file = html(samplePage());
    const QByteArray policy =
        between(file, "<meta http-equiv=\"Content-Security-Policy\" content=\"", "\"").value(0);
    CHECK(file.indexOf("Content-Security-Policy") < file.indexOf("<style>"));
    CHECK(policy.startsWith("default-src 'none';"));
    CHECK_FALSE(policy.contains("unsafe"));
    const auto hash = [&](const QByteArray& tag) {
        const QByteArray content = between(file, '<' + tag + '>', "</" + tag + '>').value(0);
        CHECK(content.size() > 1000);
        return "-src 'sha256-" + QCryptographicHash::hash(content, QCryptographicHash::Sha256).toBase64() +
               "';";
    };
    CHECK(policy.contains("script" + hash("script")));
    CHECK(policy.contains("style" + hash("style")));
}

TEST_CASE("no text of a prompt becomes markup of its page")
{
    figures::Page page = samplePage();
    for (figures::TilePanel& panel : page.panels)
        panel.title = panel.caption = kHostile;
    figures::Stamp stamp = test::sampleStamp();
    stamp.title = stamp.description = kHostile;
    stamp.recipe = '"' + kHostile.toStdString() + '"';
    const QByteArray file = figures::figureHtml(drawingOf(page), stamp);
    CHECK_FALSE(file.contains("<img"));
    CHECK_FALSE(file.contains("<!--"));
    CHECK(file.count("<script") == 4);  // data, two grids, the script
    CHECK(file.count("</script>") == 4);
    const QJsonArray grids = dataIn(file)[QStringLiteral("grids")].toArray();
    CHECK((grids[0][QStringLiteral("tokens")][3].toString() == kHostile));
    CHECK((grids[1][QStringLiteral("next")][1][0].toString() == kHostile));
    CHECK(figures::recipeInSvg(file).toStdString() == stamp.recipe);
}

TEST_CASE("a page has the MLPs of its panels, each behind its layer's last head")
{
    figures::Page page = samplePage();
    page.panels.back().flow.count = 12;
    const QJsonArray grids = dataIn(html(page))[QStringLiteral("grids")].toArray();
    CHECK((grids[0][QStringLiteral("toMlp")] == QJsonArray{8, 0}));
    CHECK((grids[0][QStringLiteral("mlps")][1] == QJsonArray{1, -0.25, 7, 1, 0, -0.75}));
    CHECK((grids[0][QStringLiteral("mlps")][5] == QJsonArray{5, 0.6667, 7, 5, 1, 2}));
    CHECK((grids[1][QStringLiteral("toMlp")] == QJsonArray{4, 0}));
    CHECK((grids[1][QStringLiteral("mlps")][1] == QJsonArray{1, -0.25, 3, 1, 0, -0.75}));
    page.panels.front().flow.hasMlps = false;
    CHECK((dataIn(html(page))[QStringLiteral("grids")][0][QStringLiteral("mlps")] == QJsonArray()));
}

TEST_CASE("a page has every tile in drawing order, and what its tokens and heads are")
{
    figures::Page page = samplePage();
    page.panels.front().heads = {{2, 1}, {0, 7}};
    page.panels.front().text.matches = {text::TokenSpan(2, 3), std::nullopt};
    page.panels.back().mark = CellId{5, 1};
    const QByteArray file = html(page);
    const QList<QByteArray> blocks = between(file, "<script type=\"application/octet-stream\">", "</script>");
    REQUIRE(blocks.size() == 2);
    for (std::size_t index = 0; index < 2; ++index) {
        const figures::TilePanel& panel = page.panels[index];
        QByteArray expected;
        for (const HeadId head : panel.heads)
            expected.append(reinterpret_cast<const char*>(panel.result.tileOf(head)), 24 * 24);
        QByteArray size(4, '\0');
        qToBigEndian(static_cast<quint32>(expected.size()), size.data());
        CHECK(
            (qUncompress(size + QByteArray::fromBase64(blocks[static_cast<qsizetype>(index)])) == expected));
    }
    const QJsonArray grids = dataIn(file)[QStringLiteral("grids")].toArray();
    const QJsonObject left = grids[0].toObject();
    CHECK(
        (left[QStringLiteral("heads")] == QJsonArray{QJsonArray{2, 1, 0, 1, 0}, QJsonArray{0, 7, 1, 0, 0}}));
    CHECK((left[QStringLiteral("matches")] == QJsonArray{QJsonArray{2, 3}, QJsonValue()}));
    CHECK((grids[1][QStringLiteral("mark")] == QJsonArray{5, 1}));
    CHECK((grids[1][QStringLiteral("heads")][10] == QJsonArray{1, 2, 2, 1, 1}));
    CHECK((grids[1][QStringLiteral("heads")][28] == QJsonArray{3, 4, 4, 3, 2}));
    CHECK((grids[0][QStringLiteral("next")][0] == QJsonArray{QStringLiteral("·Mary"), 0.9, 0.25}));
    CHECK(grids[0][QStringLiteral("next")][1][1].toDouble() == -0.01);
}

TEST_CASE("a page is at most one and a half times its tiles beside what every page has")
{
    const qint64 everyPage = html(figures::Page()).size();
    CHECK(everyPage < 60'000);
    for (const figures::Page& page :
         {noisePage({8, 16, 16}, 64), samplePage(), noisePage({32, 32, 32}, 24)}) {
        const qint64 own = html(page).size() - everyPage;
        CHECK(own <= tileBytes(page) * 3 / 2);
    }
}

TEST_CASE("a figure for paper alone is no page, and says which are")
{
    const auto written = guarded([] { return figures::figureHtml(figures::Drawing(), {}); });
    REQUIRE_FALSE(written.ok());
    CHECK(written.error().code == ErrorCode::BadRequest);
    CHECK(written.error().message.find("choose head-grid") != std::string::npos);
}

// Run by tests/browser/check_page.sh.
TEST_CASE("pages for browsers", "[.]")
{
    const std::filesystem::path folder = qEnvironmentVariable("HS_PAGE_FOLDER").toStdString();
    REQUIRE_FALSE(folder.empty());
    const auto write = [&](const char* name, const figures::Page& page) {
        REQUIRE(figures::writeFigure(drawingOf(page), folder / name, test::sampleStamp(), {}).ok());
    };
    write("sample.html", samplePage());
    figures::Page large;
    large.panels = {panelOf(QStringLiteral("Dense"), {32, 32, 32}, 64, 1),
                    panelOf(QStringLiteral("Sparse"), {32, 32, 32}, 64, 0.1)};
    write("large.html", large);
}
