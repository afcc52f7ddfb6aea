#include "figures/presets/report_figure.h"

#include "figures/presets/figures_with_bars.h"
#include "support/catch.h"
#include "ui/figures/drawing_probe.h"

#include <cmath>

using namespace hs;

namespace {

figures::SummaryPanel reportPanel(const QString& title, int layers, int heads, double most)
{
    figures::SummaryPanel panel{title, {layers, heads, heads}, {}};
    for (int index = 0; index < layers * heads; ++index)
        panel.values.push_back(most / (1 + index % 7));
    return panel;
}

figures::ReportFigure reportFigure(int layers, int heads)
{
    figures::ReportFigure figure;
    figure.panels = {reportPanel("SmolLM2-135M", layers, heads, 1),
                     reportPanel("SmolLM2-135M-sparse", layers, heads, 0.02)};
    figure.curves = {{"after <|im_start|>", 0, false, {{16, 1}, {64, 1}, {256, 1}, {1024, 1}}},
                     {"after <|im_start|>", 1, false, {{16, 0.36}, {64, 0.13}, {256, 0.051}, {1024, 0.02}}},
                     {"nothing before", 0, true, {{16, 1}, {64, 1}, {256, 1}, {1024, 1}}},
                     {"nothing before", 1, true, {{16, 0.4}, {64, 0.14}, {256, 0.06}, {1024, 0.021}}}};
    figure.text = "wiki.txt, 8 passages of 256 tokens";
    for (const char* const where : {"after <|im_start|>", "nothing before"}) {
        const QString end = QString(", %1").arg(where);
        figure.textRows.push_back({"Loss, nats a token" + end, {3.125, 3.1875}});
        figure.textRows.push_back({"KL to the dense model" + end, {NAN, 0.049}});
        figure.textRows.push_back({"Same likeliest token" + end, {NAN, 0.91}, true});
        figure.textRows.push_back({"Active edges" + end, {1, 0.051}, true, false, true});
        figure.textRows.push_back({"Heads ever active" + end, {270, 180}, false, false, true});
    }
    for (const char* const task : {"Indirect objects", "Greater than", "Opposites", "Induction"}) {
        figure.taskRows.push_back({QString("%1, accuracy").arg(task), {1, 0.95}, true});
        figure.circuitRows.push_back({QString("%1, heads").arg(task), {28, 20}, false, false, true});
        figure.circuitRows.push_back({QString("%1, edges").arg(task), {400, 8.5}, false, false, true});
    }
    figure.tasks = "20 prompts each";
    figure.circuits = "units that explain 0.9 of the effect";
    figure.leftOut = {"Greater than: This tokenizer has no years."};
    figure.caption = "Both models on the same passages and prompts.";
    return figure;
}

figures::Form reportForm(double width)
{
    figures::Form form;
    form.width = width;
    form.scale = render::Scale::Logarithmic;
    return form;
}

}  // namespace

TEST_CASE("a report has no flaw at any width and for any number of heads, and fits a sheet of paper")
{
    struct Shape {
        int layers;
        int heads;
    };
    for (const double width : {120.0, 180.0})
        for (const Shape shape : {Shape{1, 1}, Shape{8, 8}, Shape{12, 12}, Shape{30, 9}, Shape{32, 32}}) {
            const figures::Drawing drawing =
                figures::draw(reportFigure(shape.layers, shape.heads), reportForm(width));
            INFO(width << " mm, " << shape.layers << " x " << shape.heads << ": "
                       << test::flawsOf(drawing).join("; ").toStdString());
            CHECK(test::flawsOf(drawing).isEmpty());
            CHECK(drawing.size().width() <= figures::pointsOf(width) + 1e-6);
            if (width == 180)
                CHECK(drawing.size().height() <= figures::pointsOf(277));
            test::keepPicture(drawing,
                              QString("report-%1-%2x%3").arg(width).arg(shape.layers).arg(shape.heads));
        }
}

TEST_CASE("a report without tasks, first token or sparse edges is still a page")
{
    figures::ReportFigure bare = reportFigure(4, 8);
    bare.taskRows.clear();
    bare.circuitRows.clear();
    bare.leftOut.clear();
    bare.curves.resize(2);
    bare.textRows.resize(5);
    figures::ReportFigure silent = reportFigure(4, 8);
    for (figures::ReportCurve& curve : silent.curves)
        for (QPointF& point : curve.points)
            point.setY(curve.panel == 0 ? 1 : 0);
    silent.panels[1].values.assign(32, 0);
    figures::ReportFigure brief = reportFigure(4, 8);
    for (figures::ReportCurve& curve : brief.curves)
        curve.points.resize(1);
    brief.panels[0].title = brief.panels[1].title = QString("a name far too long ").repeated(20);
    figures::ReportFigure ungated = reportFigure(4, 8);
    ungated.curves.clear();
    int number = 0;
    for (const figures::ReportFigure& figure : {bare, silent, brief, ungated}) {
        const figures::Drawing drawing = figures::draw(figure, reportForm(180));
        INFO(number << ": " << test::flawsOf(drawing).join("; ").toStdString());
        CHECK(test::flawsOf(drawing).isEmpty());
        test::keepPicture(drawing, QString("report-odd%1").arg(number++));
    }
}

TEST_CASE("a report writes density at every length, figures and factors")
{
    const QStringList texts = test::textsOf(figures::draw(reportFigure(30, 9), reportForm(180)));
    for (const char* const text : {"36 %", "5.1 %", "0.049", "13 %", "2 %", "40 %", "14 %", "6 %", "2.1 %",
                                   "19.6×", "1.5×", "1.4×", "47.1×", "8.5"}) {
        INFO(text << " in " << texts.join("; ").toStdString());
        CHECK(texts.contains(QString::fromUtf8(text)));
    }
    CHECK(figures::timesText(1, 0) == QString::fromUtf8("–"));
    CHECK(figures::timesText(NAN, 1) == QString::fromUtf8("–"));
    CHECK(figures::timesText(345, 1) == QString::fromUtf8("345×"));
}
