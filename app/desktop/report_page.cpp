#include "app/desktop/report_page.h"

#include "app/desktop/application.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "base/failure.h"
#include "figures/files/figure_file.h"
#include "figures/presets/report_figure.h"

#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace hs::app {
namespace {

QString qt(const std::string& text)
{
    return QString::fromStdString(text);
}

QString beginningOf(const std::string& firstToken)
{
    return firstToken.empty() ? QStringLiteral("nothing before")
                              : QStringLiteral("after %1").arg(qt(firstToken));
}

std::vector<figures::SummaryRow> textRows(const train::PairReport& report)
{
    std::vector<figures::SummaryRow> rows;
    const auto judged = report.judged();
    for (const train::TextReport* const text : judged) {
        const train::HeldOutMeasure& dense = text->measure.dense;
        const train::HeldOutMeasure& sparse = text->measure.sparse;
        const QString where =
            judged.size() > 1 ? QStringLiteral(", %1").arg(beginningOf(text->firstToken)) : QString();
        const auto add = [&](const char* name, double first, double second, bool isShare, bool hasFactor) {
            rows.push_back({qt(name) + where, {first, second}, isShare, false, hasFactor});
        };
        add("Loss, nats a token", dense.crossEntropy, sparse.crossEntropy, false, false);
        add("KL to the dense model", NAN, sparse.divergence, false, false);
        add("Same likeliest token", NAN, sparse.groups.front().agreement, true, false);
        add("Active edges", dense.density, sparse.density, true, true);
        add("Heads active on a passage", dense.meanHeadsActive, sparse.meanHeadsActive, false, true);
        add("Heads ever active", dense.headsEverActive, sparse.headsEverActive, false, true);
    }
    return rows;
}

QString taskName(const train::TaskReport& task)
{
    QString name = qt(std::string(wordOf(task.task)));
    name.replace(QLatin1Char('-'), QLatin1Char(' '));
    name[0] = name[0].toUpper();
    return name;
}

void addTasks(figures::ReportFigure& figure, const train::PairReport& report)
{
    for (const train::TaskReport& task : report.tasks) {
        if (!task.problem.empty()) {
            figure.leftOut << QStringLiteral("%1: %2").arg(taskName(task), qt(task.problem));
            continue;
        }
        const auto& [dense, sparse] = task.scores;
        figure.taskRows.push_back({QStringLiteral("%1, accuracy").arg(taskName(task)),
                                   {dense.accuracy, sparse.accuracy},
                                   true,
                                   false});
        figure.taskRows.push_back(
            {QStringLiteral("%1, top-1").arg(taskName(task)), {dense.top, sparse.top}, true, false});
        if (task.pairs.empty())
            continue;
        const auto add = [&](const char* unit, const train::CircuitReport& circuits) {
            figure.circuitRows.push_back({QStringLiteral("%1, %2").arg(taskName(task), qt(unit)),
                                          {circuits.mean(0), circuits.mean(1)},
                                          false,
                                          false,
                                          true});
        };
        add("heads", task.heads);
        add("edges", task.edges);
    }
}

/// Told apart even if one model was run in two ways.
QString titleOf(const train::PairReport& report, std::size_t model)
{
    const QString name = qt(report.models[model].name);
    if (report.models[0].name != report.models[1].name)
        return name;
    return QStringLiteral("%1, %2").arg(name, report.models[model].gateBias ? QStringLiteral("gated")
                                                                            : QStringLiteral("no gate"));
}

figures::ReportFigure figureOf(const train::PairReport& report)
{
    figures::ReportFigure figure;
    const auto judged = report.judged();
    const train::TextReport& shown = *judged.front();
    const train::HeldOutMeasure* const measures[] = {&shown.measure.dense, &shown.measure.sparse};
    for (std::size_t model = 0; model < 2; ++model)
        figure.panels.push_back(
            {titleOf(report, model), report.models[model].heads, measures[model]->headDensity});
    for (const train::TextReport& text : report.texts)
        for (std::size_t model = 0; model < 2; ++model) {
            if (!report.models[model].gateBias)  // all of its edges, at any length
                continue;
            const auto isSame = [&](const figures::ReportCurve& curve) {
                return curve.panel == model && curve.name == beginningOf(text.firstToken);
            };
            auto curve = std::ranges::find_if(figure.curves, isSame);
            if (curve == figure.curves.end())
                curve = figure.curves.insert(
                    figure.curves.end(),
                    {beginningOf(text.firstToken),
                     model,
                     !figure.curves.empty() && figure.curves.front().name != beginningOf(text.firstToken),
                     {}});
            curve->points.emplace_back(text.length,
                                       (model == 0 ? text.measure.dense : text.measure.sparse).density);
        }
    figure.textRows = textRows(report);
    figure.text = QStringLiteral("%1, %2 passages of %3 tokens")
                      .arg(qt(report.source))
                      .arg(shown.passages)
                      .arg(shown.length);
    addTasks(figure, report);
    int prompts = 0;
    for (const train::TaskReport& task : report.tasks)
        prompts = std::max(prompts, task.prompts);
    figure.tasks =
        QStringLiteral(
            "%1 prompts each; accuracy: the right answer is likelier than the wrong one; top-1: the "
            "likeliest token is right")
            .arg(prompts);
    figure.circuits = QStringLiteral("units that explain %1 of the effect, ranked by %2")
                          .arg(report.level)
                          .arg(qt(std::string(wordOf(report.ranking))));
    figure.caption =
        QStringLiteral(
            "%1 and %2 on the same passages and prompts. Active edges: the share of causal cells "
            "whose gate is open; of each head on passages of %3 tokens, %4. Circuits: mean over the "
            "first pairs that both models answer.")
            .arg(figure.panels[0].title, figure.panels[1].title)
            .arg(shown.length)
            .arg(beginningOf(shown.firstToken));
    return figure;
}

}  // namespace

void requireReportPage(const std::string& file)
{
    if (figures::formatOf(file) == figures::Format::Html)
        fail(ErrorCode::BadRequest, "A report is drawn on paper; end --out in .pdf, .svg or .png.");
    requireWritable(file);
}

void writeReportPage(const train::PairReport& report, const std::string& file)
{
    drawWithoutDisplay();
    QtArguments arguments;
    const QGuiApplication application(arguments.count, arguments.words);
    const figures::ReportFigure figure = figureOf(report);
    figures::Form form;
    form.scale = render::Scale::Logarithmic;
    const figures::Drawing drawing = figures::draw(figure, form);
    for (const QString& note : drawing.notes())
        say(note.toStdString());
    figures::Stamp stamp;
    stamp.title = QStringLiteral("report: %1 and %2").arg(figure.panels[0].title, figure.panels[1].title);
    stamp.description = figure.caption;
    stamp.recipe = train::toJson(report).dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
    orThrow(figures::writeFigure(drawing, file, stamp, {form.dotsPerInch, form.isTransparent}));
}

}  // namespace hs::app
