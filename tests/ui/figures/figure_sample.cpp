#include "ui/figures/figure_sample.h"

#include "figures/presets/grid_figure.h"
#include "support/skip.h"
#include "ui/made_up_run.h"

#include <QProcess>
#include <QStandardPaths>

#include <algorithm>
#include <cstdlib>

namespace hs::test {

figures::Drawing sampleDrawing()
{
    figures::TilePanel panel;
    panel.title = QStringLiteral("Made up <&> \"quoted\"");
    panel.result = madeUpRun({3, 4, 4}, 24);
    panel.heads = allHeads(panel.result);
    panel.flow = {render::TileFlow::Kind::Wrapped, 4};
    panel.ablated = {{1, 2}};
    panel.caption = figures::describeRun(panel);
    figures::GridFigure figure;
    figure.panels = {panel, panel};
    figure.caption = QString::fromUtf8("Rows are queries · العربية · 中文 · 😀👩‍🔬");
    figures::Drawing drawing = figures::draw(figure, {});
    const figures::TextStyle onCells{7, QFont::Bold, render::FigureStyle::kInk, render::FigureStyle::kPaper};
    drawing.text({30, 60}, QStringLiteral("halo"), onCells);
    drawing.textUpwards({drawing.size().width() / 2, 90}, QStringLiteral("upwards"), onCells);
    drawing.line({2, 2}, {80, 2}, {render::FigureStyle::kMark, 1, true});
    return drawing;
}

figures::Stamp sampleStamp()
{
    return {QStringLiteral("head-grid: \"a\" & <b>"), QString::fromUtf8("Größe, 中文 & <tags>"),
            "{\n  \"prompt\": \"a < b && c > d ]]> \\\"q\\\" \xf0\x9f\x98\x80\",\r\n\t\"ids\": [1, 2]\n}\n"};
}

QByteArray outputOf(const QString& program, const QStringList& arguments)
{
    const QString file = QStandardPaths::findExecutable(program);
    if (file.isEmpty())
        skipTest(program.toStdString() + " is not installed");
    QProcess process;
    process.start(file, arguments);
    REQUIRE(process.waitForFinished(60000));
    const QByteArray output = process.readAllStandardOutput();
    INFO(output.toStdString() + process.readAllStandardError().toStdString());
    REQUIRE(process.exitStatus() == QProcess::NormalExit);
    REQUIRE(process.exitCode() == 0);
    return output;
}

namespace {

bool liesUnderText(const figures::Drawing& drawing, QPointF point)
{
    return std::any_of(drawing.items().begin(), drawing.items().end(),
                       [&](const figures::Drawing::Item& item) {
                           const auto* const text = std::get_if<figures::DrawnText>(&item);
                           const double rim = text && text->style.halo ? 0.5 * text->style.size : 0.5;
                           return text && text->bounds().adjusted(-rim, -rim, rim, rim).contains(point);
                       });
}

}  // namespace

QStringList wrongCells(const figures::Drawing& drawing, const QImage& picture, int slack)
{
    const double scale = picture.width() / drawing.size().width();
    QStringList wrong;
    for (const figures::Drawing::Item& item : drawing.items()) {
        const auto* const drawn = std::get_if<figures::DrawnCells>(&item);
        if (!drawn || drawn->cells.height() < 2)
            continue;
        const QSize cells = drawn->cells.size();
        for (int row = 0; row < cells.height(); ++row)
            for (int column = 0; column < cells.width(); ++column) {
                const QPointF middle =
                    drawn->place.topLeft() + QPointF((column + 0.5) / cells.width() * drawn->place.width(),
                                                     (row + 0.5) / cells.height() * drawn->place.height());
                if (liesUnderText(drawing, middle))
                    continue;
                const QPoint at(static_cast<int>(middle.x() * scale), static_cast<int>(middle.y() * scale));
                const QRgb shown = picture.pixel(at);
                const QRgb expected = drawn->cells.pixel(column, row);
                const int off = std::max({std::abs(qRed(shown) - qRed(expected)),
                                          std::abs(qGreen(shown) - qGreen(expected)),
                                          std::abs(qBlue(shown) - qBlue(expected))});
                if (off > slack)
                    wrong << QStringLiteral("query %1, key %2: %3 instead of %4")
                                 .arg(row)
                                 .arg(column)
                                 .arg(QColor(shown).name(), QColor(expected).name());
            }
    }
    return wrong;
}

}  // namespace hs::test
