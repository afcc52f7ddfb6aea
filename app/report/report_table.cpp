#include "app/report/pair_reports.h"

#include "app/support/text_table.h"
#include "base/text_format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hs::app {
namespace {

constexpr std::size_t kMovedShown = 5;

std::string formatted(const char* format, double value)
{
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return std::isfinite(value) ? text : "-";
}

std::string shareText(double share)
{
    return formatted("%.3g %%", 100 * share);
}

std::string factorText(double dense, double sparse)
{
    const double factor = dense / sparse;
    return sparse > 0 ? formatted(factor < 100 ? "%.3g" : "%.0f", factor) : "-";
}

std::string passagesText(const train::TextReport& text)
{
    return formatCount(text.passages) + (text.passages == 1 ? " passage of " : " passages of ") +
           formatCount(text.length) + " tokens, " +
           (text.firstToken.empty() ? "nothing put before them" : text.firstToken + " before them");
}

std::string modelLine(const train::ReportModel& model)
{
    return model.name + ", " + formatCount(model.heads.layers) + " layers of " +
           formatCount(model.heads.heads) + " heads, " +
           (model.gateBias ? "gate with bias " + formatted("%g", *model.gateBias) : "no gate");
}

/// Rows of a table of two models.
class ReportTable {
public:
    explicit ReportTable(const train::PairReport& report) : m_report(report) {}

    std::string text()
    {
        for (const train::TextReport* const judged : m_report.judged())
            addText(*judged);
        addMoved();
        addTasks();
        std::string text = "dense: " + modelLine(m_report.models[0]) +
                           "\nsparse: " + modelLine(m_report.models[1]) + "\ntext: " + m_report.source +
                           ", " + formatCount(m_report.tokens) + " tokens\n\n" + m_table.text();
        for (const train::TaskReport& task : m_report.tasks)
            if (!task.problem.empty())
                text += std::string(wordOf(task.task)) + " left out: " + task.problem + "\n";
        text += "\nseconds:";
        for (const auto& [part, took] : m_report.seconds)
            text += " " + part + " " + formatted("%.1f", took);
        return text + "\n";
    }

private:
    void addHeader(const std::string& name) { m_table.add(name, {"dense", "sparse", "factor"}); }

    void addShares(const std::string& name, double dense, double sparse)
    {
        m_table.add("  " + name, {shareText(dense), shareText(sparse), factorText(dense, sparse)});
    }

    void addCounts(const std::string& name, const char* format, double dense, double sparse)
    {
        m_table.add("  " + name,
                    {formatted(format, dense), formatted(format, sparse), factorText(dense, sparse)});
    }

    void addText(const train::TextReport& text)
    {
        const train::HeldOutMeasure& dense = text.measure.dense;
        const train::HeldOutMeasure& sparse = text.measure.sparse;
        addHeader(passagesText(text));
        m_table.add("  loss, nats a token",
                    {formatted("%.4f", dense.crossEntropy), formatted("%.4f", sparse.crossEntropy)});
        m_table.add("  KL to the dense model, nats a token", {"", formatted("%.4f", sparse.divergence)});
        m_table.add("  likeliest token is the dense model's",
                    {"", shareText(sparse.groups.front().agreement)});
        for (const train::TextReport& other : m_report.texts)
            if (other.firstToken == text.firstToken)
                addShares("active edges at " + formatCount(other.length) + " tokens",
                          other.measure.dense.density, other.measure.sparse.density);
        addLayers(text);
        addCounts("heads ever active", "%.0f", dense.headsEverActive, sparse.headsEverActive);
        addCounts("heads active on one passage, mean", "%.1f", dense.meanHeadsActive, sparse.meanHeadsActive);
        addCounts("heads active on one passage, most", "%.0f", dense.mostHeadsActive, sparse.mostHeadsActive);
        m_table.add("  heads silent on one passage, mean", {silent(dense), silent(sparse)});
    }

    void addLayers(const train::TextReport& text)
    {
        const auto dense = train::layerDensity(text.measure.dense, m_report.models[0].heads);
        const auto sparse = train::layerDensity(text.measure.sparse, m_report.models[1].heads);
        for (std::size_t layer = 0; layer < std::max(dense.size(), sparse.size()); ++layer)
            addShares("active edges of layer " + std::to_string(layer),
                      layer < dense.size() ? dense[layer] : NAN, layer < sparse.size() ? sparse[layer] : NAN);
    }

    void addMoved()
    {
        const train::MovedHeads& moved = m_report.moved;
        if (moved.heads.empty())
            return;
        m_table.add("patterns, " + formatCount(moved.passages) +
                        (moved.passages == 1 ? " passage of " : " passages of ") + formatCount(moved.length) +
                        " tokens",
                    {"", "moved", ""});
        for (const double least : {0.01, 0.1, 0.5}) {
            const auto count = std::ranges::count_if(
                moved.heads, [&](const train::MovedHead& head) { return head.distance > least; });
            m_table.add("  heads moved by more than " + formatted("%g", least) + " (total variation)",
                        {"", formatCount(count)});
        }
        for (std::size_t rank = 0; rank < std::min(kMovedShown, moved.heads.size()); ++rank)
            m_table.add("  " + toString(moved.heads[rank].head),
                        {"", formatted("%.3g", moved.heads[rank].distance)});
    }

    static std::string silent(const train::HeldOutMeasure& measure)
    {
        return formatted("%.1f", measure.heads - measure.meanHeadsActive);
    }

    void addTasks()
    {
        for (const train::TaskReport& task : m_report.tasks) {
            if (!task.problem.empty())
                continue;
            const auto& [dense, sparse] = task.scores;
            addHeader(std::string(wordOf(task.task)) + ", " + formatCount(task.prompts) + " prompts" +
                      (task.firstToken.empty() ? "" : " after " + task.firstToken));
            m_table.add("  right above wrong", {shareText(dense.accuracy), shareText(sparse.accuracy)});
            m_table.add("  likeliest token is right", {shareText(dense.top), shareText(sparse.top)});
            m_table.add("  logit difference", {formatted("%.2f", dense.logitDifference),
                                               formatted("%.2f", sparse.logitDifference)});
            if (task.pairs.empty())
                continue;
            const std::string pairs = " at " + formatted("%g", m_report.level) + ", mean of " +
                                      formatCount(std::ssize(task.pairs)) +
                                      (task.pairs.size() == 1 ? " pair" : " pairs");
            addCounts("heads of the circuit" + pairs, "%.1f", task.heads.mean(0), task.heads.mean(1));
            addCounts("edges of the circuit" + pairs, "%.1f", task.edges.mean(0), task.edges.mean(1));
        }
    }

    const train::PairReport& m_report;
    TextTable m_table;
};

}  // namespace

std::string reportTable(const train::PairReport& report)
{
    return ReportTable(report).text();
}

}  // namespace hs::app
